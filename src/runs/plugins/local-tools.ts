import type { FailureReason, PluginCall, RunnableTool, RunResult } from './contract'
import type { JsonObject } from '../../contracts/words'
import { runInChild } from './host/child-runner'
import { readSettingNames } from './plugin-config'
import type { PluginHostOptions } from './plugin-host'
import type { Heartbeat } from '../../engine/heartbeat'
import { readRegistry } from './registry'
import type { Plugin } from './registry'
import { failed } from './run-results'
import { isSchedulable } from './schedule-schema'
import type { ToolSource } from './tool-source'

export interface PluginLimits {
  /** The heap of a handler's process; `meta.memoryMb` of a plugin wins. */
  memoryMb?: number
  heartbeatMs?: number
  /** How long the boot waits for MCP servers; the tools of slower ones come later. */
  mcpStartMs?: number
  /** What Node itself must know in a handler's process, such as NODE_EXTRA_CA_CERTS. Handlers can see it. */
  childEnv?: Record<string, string>
}

const MEMORY_MB = 256

/** Plugins in folders: each call runs in a process of its own. */
export function createLocalTools(options: PluginHostOptions): ToolSource {
  const { plugins, faults } = readRegistry(options.folders)
  const tools = new Map([...plugins].map(([aiName, plugin]) => [aiName, toTool(plugin)]))
  const closing = new AbortController()
  const running = new Set<Promise<RunResult>>()

  const run = async (plugin: Plugin, call: PluginCall, heartbeat: Heartbeat): Promise<RunResult> => {
    const prepared = prepare(plugin, call.args, options.settings)
    if ('fault' in prepared) return failed(prepared.fault, { reason: prepared.reason })
    const signal = AbortSignal.any([heartbeat.signal, closing.signal])
    return runInChild(toChildCall({ plugin, call, prepared, options, heartbeat: { ...heartbeat, signal } }))
  }
  return {
    list: () => [...tools.values()],
    find: (aiName) => tools.get(aiName),
    faults: () => faults,
    owns: (aiName) => plugins.has(aiName),
    async run(call, heartbeat) {
      const plugin = plugins.get(call.aiName)
      if (plugin === undefined) return failed(`there is no plugin named ${call.aiName}`, { reason: 'unknown_tool' })
      const result = run(plugin, call, heartbeat)
      running.add(result)
      return result.finally(() => running.delete(result))
    },
    async close() {
      closing.abort()
      await Promise.allSettled(running)
    },
  }
}

function toTool({ aiName, config }: Plugin): RunnableTool {
  return { ...config, aiName, source: 'plugin', schedulable: isSchedulable(config.inputSchema) }
}

interface Prepared {
  args: JsonObject
  settings: Record<string, string>
}

/** Everything that can be known to be wrong before the handler runs. */
function prepare(
  { config, checkInput }: Plugin,
  given: JsonObject,
  known: PluginHostOptions['settings'],
): Prepared | { fault: string; reason: FailureReason } {
  const { required, optional } = readSettingNames(config.settings)
  const missing = required.filter((name) => !known[name])
  if (missing.length > 0) {
    const fault = `${config.name} is not set up: the setting ${missing.join(', ')} is missing`
    return { fault, reason: 'not_set_up' }
  }
  const checked = checkInput(given)
  if ('fault' in checked) {
    return { fault: `the arguments of ${config.name} are wrong: ${checked.fault}`, reason: 'bad_arguments' }
  }
  const settings: Record<string, string> = {}
  for (const name of [...required, ...optional]) {
    const value = known[name]
    if (value) settings[name] = value
  }
  return { args: checked.args, settings }
}

interface ChildCallParts {
  plugin: Plugin
  call: PluginCall
  prepared: Prepared
  options: PluginHostOptions
  heartbeat: Heartbeat
}

function toChildCall({ plugin, call, prepared, options, heartbeat }: ChildCallParts) {
  const { limits = {}, egressOptions, logger } = options
  const { memoryMb } = plugin.config.meta
  const { language, runId, stepIndex, sessionKey, onFile, onUsage, onStart } = call
  const trustedHosts = [...egressOptions.trustedHosts]
  return {
    start: { file: plugin.file, ...prepared, trustedHosts, language, runId, stepIndex, sessionKey },
    env: limits.childEnv ?? {},
    memoryMb: typeof memoryMb === 'number' ? memoryMb : (limits.memoryMb ?? MEMORY_MB),
    timeoutMs: plugin.config.timeoutMs,
    heartbeat,
    onFile,
    onUsage,
    onStart,
    logger: logger.child({ plugin: plugin.config.name, runId, stepIndex }),
  }
}

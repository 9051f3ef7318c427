import type { Logger } from 'pino'
import type { PluginCall, PluginHost, RunResult } from './contract'
import type { EgressOptions } from '../../egress/egress'
import { createLocalTools } from './local-tools'
import type { PluginLimits } from './local-tools'
import { createMcpTools } from './mcp/mcp-tools'
import { messageOf } from '../../errors'
import { startHeartbeat } from '../../engine/heartbeat'
import { cancelled, failed } from './run-results'
import type { ToolSource } from './tool-source'

export interface PluginHostOptions {
  /** Folders of plugins, in order: of two plugins with one name the first counts. */
  folders: readonly string[]
  /** What handlers may be given by name, and what `${NAME}` in mcp.json stands for. */
  settings: Readonly<Record<string, string | undefined>>
  /** The file that names MCP servers. Only the usual `mcp.json` in the working folder may be missing. */
  mcpConfig?: string | undefined
  egressOptions: Pick<EgressOptions, 'trustedHosts'>
  logger: Logger
  limits?: PluginLimits
}

const HEARTBEAT_MS = 2_000

/** Everything that can run as a step, wherever it comes from. */
export async function createPluginHost(options: PluginHostOptions): Promise<PluginHost> {
  const sources: ToolSource[] = [createLocalTools(options), await createMcpTools(options)]
  const heartbeatMs = options.limits?.heartbeatMs ?? HEARTBEAT_MS
  const faults = () => sources.flatMap((source) => source.faults())
  for (const { folder, reason } of faults()) options.logger.warn({ folder, reason }, 'a plugin was left out')
  return {
    list: () => sources.flatMap((source) => source.list()),
    find: (aiName) => sources.map((source) => source.find(aiName)).find((tool) => tool !== undefined),
    faults,
    run: (call) => runUnderHeartbeat(sources, call, heartbeatMs),
    async close() {
      await Promise.all(sources.map((source) => source.close()))
    },
  }
}

async function runUnderHeartbeat(sources: ToolSource[], call: PluginCall, heartbeatMs: number): Promise<RunResult> {
  const source = sources.find(({ owns }) => owns(call.aiName))
  if (source === undefined) return failed(`there is no tool named ${call.aiName}`, { reason: 'unknown_tool' })
  const heartbeat = startHeartbeat(call, heartbeatMs)
  try {
    return await source.run(call, heartbeat)
  } catch (error) {
    return heartbeat.signal.aborted ? cancelled() : failed(messageOf(error))
  } finally {
    heartbeat.stop()
  }
}

import type { PluginCall, RunResult } from '../contract'
import type { PluginHostOptions } from '../plugin-host'
import type { Heartbeat } from '../../../engine/heartbeat'
import { failed } from '../run-results'
import type { ToolSource } from '../tool-source'
import { callMcpTool } from './call-mcp-tool'
import { readMcpConfig } from './mcp-config'
import { createToolList } from './mcp-tool-list'
import { createServerConnection } from './server-connection'
import type { ServerConnection } from './server-connection'
import { untilAborted } from '../../../engine/waiting'

const START_MS = 5_000

/** The tools of MCP servers. A server that does not answer is a fault, and is tried again. */
export async function createMcpTools(options: PluginHostOptions): Promise<ToolSource> {
  const { mcpConfig, settings, logger, limits } = options
  const { servers, faults } = mcpConfig === undefined ? NOTHING : readMcpConfig(mcpConfig, settings)
  const connections = servers.map((server) => createServerConnection(server, logger))
  const list = createToolList(connections)
  // The boot waits a little, so that the first list is usually the whole one.
  await untilAborted(AbortSignal.timeout(limits?.mcpStartMs ?? START_MS), tryAll(connections)).catch(() => undefined)

  const serversOf = (aiName: string) => connections.filter(({ server }) => aiName.startsWith(`${server.name}__`))
  const run = async (call: PluginCall, heartbeat: Heartbeat): Promise<RunResult> => {
    // Another process may have listed a tool whose server has not answered here yet.
    if (!list().tools.has(call.aiName)) await untilAborted(heartbeat.signal, tryAll(serversOf(call.aiName)))
    const found = list().tools.get(call.aiName)
    if (found !== undefined) return callMcpTool(found, call, heartbeat)
    const away = serversOf(call.aiName).find((connection) => connection.fault() !== undefined)
    if (away === undefined) return failed(`there is no tool named ${call.aiName}`, { reason: 'unknown_tool' })
    const message = `the MCP server ${away.server.name} cannot be reached: ${away.fault()}`
    return failed(message, { reason: 'unreachable' })
  }
  return {
    list: () => [...list().tools.values()].map(({ tool }) => tool),
    find: (aiName) => list().tools.get(aiName)?.tool,
    faults: () => [...faults, ...list().faults],
    owns: (aiName) => serversOf(aiName).length > 0,
    run,
    async close() {
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}

const NOTHING = { servers: [], faults: [] }

async function tryAll(connections: ServerConnection[]): Promise<void> {
  await Promise.allSettled(connections.map((connection) => connection.client()))
}

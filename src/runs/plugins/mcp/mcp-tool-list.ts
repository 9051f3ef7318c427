import type { RunnableTool } from '../contract'
import type { JsonObject } from '../../../contracts/words'
import { createInputCheck } from '../input-check'
import type { InputCheck } from '../input-check'
import type { PluginFault } from '../registry'
import { storable } from '../../../engine/storable'
import { addSchedule, omitSchedule } from '../schedule-schema'
import type { McpTool } from './mcp-client'
import type { ServerConnection } from './server-connection'
import { toAiName } from './tool-names'

export interface FoundTool {
  tool: RunnableTool
  /** As the server calls it. */
  name: string
  checkInput: InputCheck
  connection: ServerConnection
}

export interface ToolList {
  tools: Map<string, FoundTool>
  faults: PluginFault[]
}

const TIMEOUT_MS = 60_000

/** All tools of all servers by the name that models use; of two with one name the first counts. */
export function createToolList(connections: ServerConnection[]): () => ToolList {
  // Compiled once a tool: servers list theirs anew only when they change.
  const known = new WeakMap<McpTool, FoundTool>()
  const find = (mcpTool: McpTool, connection: ServerConnection): FoundTool => {
    const found = known.get(mcpTool) ?? toFound(mcpTool, connection)
    known.set(mcpTool, found)
    return found
  }
  return () => listTools(connections, find)
}

type Find = (mcpTool: McpTool, connection: ServerConnection) => FoundTool

function listTools(connections: ServerConnection[], find: Find): ToolList {
  const tools = new Map<string, FoundTool>()
  const faults: PluginFault[] = []
  for (const connection of connections) {
    const { name } = connection.server
    const reason = connection.fault()
    if (reason !== undefined) faults.push({ folder: `mcp: ${name}`, reason })
    for (const mcpTool of connection.tools()) {
      const found = find(mcpTool, connection)
      const { aiName } = found.tool
      if (tools.has(aiName)) faults.push({ folder: `mcp: ${name}`, reason: `two tools would be named ${aiName}` })
      else tools.set(aiName, found)
    }
  }
  return { tools, faults }
}

function toFound(mcpTool: McpTool, connection: ServerConnection): FoundTool {
  const { name, description = '', annotations } = mcpTool
  const { server } = connection
  const inputSchema = readSchema(mcpTool.inputSchema)
  const tool: RunnableTool = {
    aiName: toAiName(server.name, name),
    name,
    description,
    source: 'mcp',
    schedulable: server.schedule ?? false,
    inputSchema: server.schedule === true ? addSchedule(inputSchema) : inputSchema,
    timeoutMs: server.timeoutMs ?? TIMEOUT_MS,
    cooldownMs: 0,
    deferred: server.deferred ?? false,
    idempotent: annotations?.idempotentHint === true || annotations?.readOnlyHint === true,
    settings: [],
    meta: {},
  }
  return { tool, name, checkInput: compileInput(inputSchema), connection }
}

function readSchema(schema: object): JsonObject {
  const json = storable(schema)
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : { type: 'object' }
}

/** The server checks its own input; a schema in words that we do not know is no reason to lose a tool. */
function compileInput(inputSchema: JsonObject): InputCheck {
  try {
    return createInputCheck(inputSchema)
  } catch {
    return (args) => ({ args: omitSchedule(args) })
  }
}

import type { JsonObject, JsonValue } from '../../../contracts/words'
import { storable } from '../../../engine/storable'
import type { McpServer } from './mcp-config'

/** What we use of the protocol's own client. */
export interface McpClient {
  callTool(call: McpCall): Promise<McpAnswer>
  close(): Promise<void>
}

export interface McpTool {
  name: string
  description?: string | undefined
  inputSchema: object
  annotations?: { readOnlyHint?: boolean | undefined; idempotentHint?: boolean | undefined } | undefined
}

export interface McpCall {
  name: string
  args: JsonObject
  signal: AbortSignal
  timeoutMs: number
  onProgress(detail: JsonValue): void
}

export interface McpAnswer {
  content: unknown[]
  structuredContent?: unknown
  isError?: boolean | undefined
}

export interface McpListener {
  /** Called once before the client is open, and whenever the server says that its tools changed. */
  onTools(tools: McpTool[]): void
  onClose(): void
  onOutput(text: string): void
  /** Ends the attempt to connect. */
  signal: AbortSignal
}

/** A server that installs itself on its first start (`npx`) needs its time. */
const CONNECT_LIMIT_MS = 30_000
const CLIENT = { name: 'punctual', version: '1' }

/** Starts or reaches the server, shakes hands and asks for its tools; throws when it does not answer. */
export async function openMcpClient(server: McpServer, listener: McpListener): Promise<McpClient> {
  // Loaded here, for it is large and most installations name no server.
  const { Client } = await import('@modelcontextprotocol/client')
  const onChanged = (_error: Error | null, tools: McpTool[] | null) => tools !== null && listener.onTools(tools)
  const client = new Client(CLIENT, { listChanged: { tools: { onChanged } } })
  client.onclose = listener.onClose
  const limits = { timeout: CONNECT_LIMIT_MS, signal: listener.signal }
  try {
    await client.connect(await createTransport(server, listener), limits)
    const { tools } = await client.listTools(undefined, limits)
    listener.onTools(tools)
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error
  }
  return {
    callTool: ({ name, args, signal, timeoutMs, onProgress }) => {
      const onprogress = (progress: object) => onProgress(storable(progress))
      return client.callTool({ name, arguments: args }, { signal, timeout: timeoutMs, onprogress })
    },
    close: () => client.close(),
  }
}

/** The operator named the server, so that it may be private; redirects to another origin are not followed. */
async function createTransport({ command, args, env, cwd, url, headers }: McpServer, { onOutput }: McpListener) {
  if (command === undefined) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    return new StreamableHTTPClientTransport(new URL(url ?? ''), { requestInit: { headers: headers ?? {} } })
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const optional = { ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) }
  const transport = new StdioClientTransport({ command, ...optional, stderr: 'pipe' })
  transport.stderr?.on('data', (text: unknown) => onOutput(String(text)))
  return transport
}

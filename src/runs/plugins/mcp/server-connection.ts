import type { Logger } from 'pino'
import { backOffMs } from '../../../engine/waiting'
import { messageWithCause } from '../../../errors'
import { openMcpClient } from './mcp-client'
import type { McpClient, McpTool } from './mcp-client'
import type { McpServer } from './mcp-config'

/** The line to one server: opened when needed, opened again when it broke. */
export interface ServerConnection {
  server: McpServer
  /** As last heard; kept while the server is away. */
  tools(): McpTool[]
  /** Why it cannot be reached now. */
  fault(): string | undefined
  /** Opens the line if it is not open; throws when the server does not answer. */
  client(): Promise<McpClient>
  /** Forgets a line that turned out to be dead. */
  drop(): void
  close(): Promise<void>
}

const BACK_OFF = { firstMs: 1_000, longestMs: 60_000 }
/** A server that ends sooner than this after its start is failing, however often it says hello. */
const STABLE_MS = 30_000

export function createServerConnection(server: McpServer, logger: Logger): ServerConnection {
  let tools: McpTool[] = []
  let line: Promise<McpClient> | undefined
  let fault: string | undefined
  let openedAt = 0
  let failures = 0
  let retry: NodeJS.Timeout | undefined
  const closing = new AbortController()

  const lose = (lost: Promise<McpClient>, reason: string) => {
    if (line !== lost || closing.signal.aborted) return
    line = undefined
    fault = reason
    failures = Date.now() - openedAt > STABLE_MS ? 1 : failures + 1
    logger.warn({ server: server.name, reason }, 'an MCP server cannot be reached')
    clearTimeout(retry)
    retry = setTimeout(() => void open().catch(() => undefined), backOffMs(failures, BACK_OFF))
    retry.unref()
    void lost.then((client) => client.close()).catch(() => undefined)
  }
  const dial = async (onClose: () => void): Promise<McpClient> => {
    let isOpen = false
    const client = await openMcpClient(server, {
      onTools: (changed) => void (tools = changed),
      onOutput: (output) => logger.debug({ server: server.name, output: output.slice(0, 4_096) }, 'printed'),
      // Before, the attempt itself fails, and knows the reason.
      onClose: () => isOpen && onClose(),
      signal: closing.signal,
    })
    isOpen = true
    openedAt = Date.now()
    fault = undefined
    return client
  }
  const open = (): Promise<McpClient> => {
    if (closing.signal.aborted) return Promise.reject(new Error('the host is closing'))
    if (line !== undefined) return line
    clearTimeout(retry)
    openedAt = Date.now()
    const opening: Promise<McpClient> = dial(() => lose(opening, 'it closed the line'))
    line = opening
    opening.catch((error: unknown) => lose(opening, messageWithCause(error)))
    return opening
  }
  return {
    server,
    tools: () => tools,
    fault: () => fault,
    client: open,
    drop: () => void (line && lose(line, 'it lost the session')),
    async close() {
      closing.abort()
      clearTimeout(retry)
      await line?.then((client) => client.close()).catch(() => undefined)
    },
  }
}

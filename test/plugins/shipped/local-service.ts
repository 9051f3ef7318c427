import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Parsed when it was sent as JSON. */
  body: unknown
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  /** Objects are sent as JSON, texts and bytes as they are. */
  body?: unknown
}

export interface LocalService {
  url: string
  asked: Asked[]
  /** Until the next call; undefined gives the word back to the service itself. */
  answerWith(answer: Answer | undefined): void
  close(): Promise<void>
}

/** A server on loopback that speaks someone's protocol and keeps what it was asked. */
export async function startLocalService(serve: (asked: Asked) => Answer): Promise<LocalService> {
  const asked: Asked[] = []
  let forced: Answer | undefined
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local')
      const { method = '', headers } = request
      const body = readBody(Buffer.concat(pieces).toString(), headers)
      asked.push({ method, path: pathname, query: searchParams, headers, body })
      send(response, forced ?? serve({ method, path: pathname, query: searchParams, headers, body }))
    })
  })
  const url = await listen(server)
  return {
    url,
    asked,
    answerWith: (answer) => void (forced = answer),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

function readBody(text: string, headers: IncomingHttpHeaders): unknown {
  return headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : text
}

function send(response: ServerResponse, { status = 200, headers = {}, body = {} }: Answer): void {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  response.writeHead(status, { 'content-type': isRaw ? 'text/html' : 'application/json', ...headers })
  response.end(isRaw ? body : JSON.stringify(body))
}

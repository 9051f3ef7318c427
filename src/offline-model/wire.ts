import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'secure-json-parse'

const MAX_BODY_BYTES = 4 * 1024 * 1024

/** A request that cannot be answered, in the protocol's own error shape. */
export class ProtocolError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly param: string | null = null,
  ) {
    super(message)
    this.name = 'ProtocolError'
  }
}

/** By events and not by `for await`, which would close the connection before the refusal is sent. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    request.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= MAX_BODY_BYTES) pieces.push(piece)
      else reject(new ProtocolError(413, `The body is longer than ${MAX_BODY_BYTES} bytes`))
    })
    request.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
    request.on('error', reject)
  })
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const known = error instanceof ProtocolError ? error : new ProtocolError(500, 'The offline model failed')
  const type = known.status < 500 ? 'invalid_request_error' : 'server_error'
  // The rest of a body that is too long is not wanted.
  if (known.status === 413) response.setHeader('connection', 'close')
  sendJson(response, known.status, { error: { message: known.message, type, param: known.param, code: null } })
}

export type Fields = Record<string, unknown>

/** The body of a request as an object; what is wrong with it is said as OpenAI says it. */
export function readBodyFields(text: string): Fields {
  try {
    const body: unknown = parse(text)
    if (isFields(body)) return body
  } catch {
    throw new ProtocolError(400, 'The body is no JSON that can be used')
  }
  throw new ProtocolError(400, 'The body must be a JSON object')
}

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

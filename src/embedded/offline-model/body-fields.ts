import { parse } from 'secure-json-parse'
import { ProtocolError } from './wire'

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

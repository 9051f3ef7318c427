import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors'

const MAX_DEPTH = 64

/** PostgreSQL's text refuses NUL and its jsonb refuses half a surrogate pair, so neither comes in. */
export function refuseBadText(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    for (const part of [request.params, request.query, request.body]) checkText(part)
  })
}

/** A loop in place of recursion: a body nested ten thousand deep must not exhaust the stack. */
export function checkText(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, depth } = item
    if (typeof value === 'string') checkString(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth === MAX_DEPTH) throw unprocessable('too_deep', `the body is nested more than ${MAX_DEPTH} deep`)
    for (const [key, child] of Object.entries(value)) {
      checkString(key)
      open.push({ value: child, depth: depth + 1 })
    }
  }
}

function checkString(text: string): void {
  if (text.includes('\0')) throw unprocessable('bad_text', 'a text holds a NUL character')
  if (!text.isWellFormed()) throw unprocessable('bad_text', 'a text holds half a surrogate pair')
}

function unprocessable(code: string, message: string): AppError {
  return new AppError(code, message, { status: 422 })
}

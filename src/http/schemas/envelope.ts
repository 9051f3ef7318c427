import { Type } from 'typebox'
import type { Static, TSchema } from '@fastify/type-provider-typebox'

/** One shape for every failure: `code` repeats the HTTP status, `error.code` is the word a program compares. */
export const ErrorAnswer = Type.Object(
  {
    code: Type.Integer({ description: 'The HTTP status.' }),
    message: Type.String(),
    data: Type.Null(),
    error: Type.Object({
      code: Type.String({ examples: ['validation_failed'] }),
      hint: Type.Optional(Type.String({ description: 'What to do about it.' })),
      details: Type.Optional(Type.Unknown()),
    }),
  },
  { $id: 'ErrorAnswer' },
)
export type ErrorAnswer = Static<typeof ErrorAnswer>

export function success<T>(data: T): { code: 0; message: 'success'; data: T } {
  return { code: 0, message: 'success', data }
}

export function successSchema<T extends TSchema>(data: T) {
  return Type.Object({ code: Type.Literal(0), message: Type.Literal('success'), data })
}

/** What each failure means, in the document. */
export const REASONS = {
  400: 'The request cannot be understood.',
  401: 'No valid key or token.',
  403: 'The key or token does not reach this far.',
  404: 'There is no such thing, or it is not yours to see.',
  405: 'There is no such method here; `Allow` names those there are.',
  409: 'It clashes with what is there.',
  413: 'The body is over the limit that the message names.',
  415: 'The body is not JSON.',
  422: 'A text holds NUL or half a character.',
  429: 'Too many tries; `Retry-After` says when to come back.',
  500: 'Our fault; the message names the request.',
  502: 'The channel refused the message; the reason is in the answer.',
  503: 'A part we need does not answer.',
  504: 'The model took too long.',
} as const
type ErrorStatus = keyof typeof REASONS

const failure = (status: ErrorStatus) =>
  Type.Unsafe<ErrorAnswer>({ $ref: 'ErrorAnswer#', description: REASONS[status] })

/** The failures a route declares in its OpenAPI answers. */
export function failures<S extends ErrorStatus>(...statuses: S[]): Record<S, ReturnType<typeof failure>> {
  return Object.fromEntries(statuses.map((status) => [status, failure(status)])) as Record<
    S,
    ReturnType<typeof failure>
  >
}

/** What can happen on any route that needs a caller. */
export const GUARDED = failures(400, 401, 403, 422, 500, 503)
/** What a body can bring with it. */
export const WITH_BODY = failures(413, 415)

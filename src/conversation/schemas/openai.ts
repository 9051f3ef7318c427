import { Type } from 'typebox'
import { AnyJson, Id, Nullable } from '../../http/schemas/primitives'
import { EffectView } from './chat'

/** As OpenAI writes a failure, inside the envelope that every failure here has. */
export const OpenAiError = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  data: Type.Null(),
  error: Type.Object({
    message: Type.String(),
    type: Type.String(),
    param: Nullable(Type.String()),
    code: Type.String(),
    hint: Type.Optional(Type.String()),
    details: Type.Optional(Type.Unknown()),
  }),
})

export const openAiFailures = Object.fromEntries(
  ([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504] as const).map((status) => [status, OpenAiError]),
) as Record<400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504, typeof OpenAiError>

export const ModelView = Type.Object({
  id: Type.String(),
  object: Type.Literal('model'),
  created: Type.Integer(),
  owned_by: Type.String(),
})

const Part = Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) }, { additionalProperties: true })
const SaidMessage = Type.Object(
  { role: Type.String(), content: Type.Optional(Type.Union([Type.String(), Type.Array(Part), Type.Null()])) },
  { additionalProperties: true },
)

/** Clients send more than this: what can be kept is handed on, what cannot is refused (see openai-parameters.ts). */
export const CompletionRequest = Type.Object(
  {
    model: Id(255),
    messages: Type.Array(SaidMessage, { minItems: 1, maxItems: 10_000 }),
    stream: Type.Optional(Nullable(Type.Boolean())),
    stream_options: Type.Optional(
      Nullable(
        Type.Object(
          { include_usage: Type.Optional(Type.Boolean({ description: 'End the stream with what the answer cost.' })) },
          { additionalProperties: true, description: 'More about the stream.' },
        ),
      ),
    ),
    user: Type.Optional(Id(255)),
  },
  { additionalProperties: true },
)

export const Completion = Type.Object({
  id: Type.String(),
  object: Type.Literal('chat.completion'),
  created: Type.Integer(),
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      message: Type.Object({ role: Type.Literal('assistant'), content: Type.String(), refusal: Type.Null() }),
      logprobs: Type.Null(),
      finish_reason: Type.Enum(['stop', 'length'], { description: '`length`: cut at `max_tokens`.' }),
    }),
  ),
  usage: Type.Object(
    {
      prompt_tokens: Type.Integer({ description: 'Tokens that the model read, over all its calls for this answer.' }),
      completion_tokens: Type.Integer({ description: 'Tokens that it wrote.' }),
      total_tokens: Type.Integer({ description: 'Both together.' }),
    },
    { description: 'What the answer cost; estimated where the model’s server does not say.' },
  ),
  session_key: Type.String({ description: 'Where it was said; `X-Session-Key` of the answer says the same.' }),
  effects: Type.Array(EffectView),
  tool_calls: AnyJson,
})

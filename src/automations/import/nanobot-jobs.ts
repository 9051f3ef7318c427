import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'secure-json-parse'
import { isObject } from '../../contracts/words'
import { describeMisfit } from '../../engine/describe-misfit'
import { badRequest, messageOf } from '../../errors'

const Nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const Milliseconds = Type.Number({ minimum: 0, maximum: 8.64e15 })

/** The old id names a session and a search: letters, digits and a few signs. */
const Job = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9_.@+~=-]{1,100}$' }),
  name: Nullable(Type.String({ maxLength: 10_000 })),
  enabled: Nullable(Type.Boolean()),
  schedule: Type.Object({
    kind: Type.Union([Type.Literal('at'), Type.Literal('every'), Type.Literal('cron')]),
    atMs: Nullable(Milliseconds),
    everyMs: Nullable(Milliseconds),
    expr: Nullable(Type.String({ maxLength: 1_000 })),
    tz: Nullable(Type.String({ maxLength: 64 })),
  }),
  payload: Type.Object({
    kind: Nullable(Type.Union([Type.Literal('agent_turn'), Type.Literal('system_event')])),
    message: Nullable(Type.String()),
    deliver: Nullable(Type.Boolean()),
    channel: Nullable(Type.String({ maxLength: 100 })),
    to: Nullable(Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])),
    channelMeta: Nullable(Type.Record(Type.String(), Type.Unknown())),
    sessionKey: Nullable(Type.String({ maxLength: 512 })),
  }),
})

export type NanobotJob = Static<typeof Job>
/** One entry of the file: a job, or what is wrong with it. */
export type NanobotEntry = { id: string; name: string; job: NanobotJob } | { id: string; name: string; fault: string }

/** Reads the text of nanobot's `jobs.json`. Throws when it is no such file; one bad job spoils no other. */
export function readNanobotJobs(text: string): NanobotEntry[] {
  const store = readStore(text)
  if (!isObject(store) || !Array.isArray(store['jobs'])) throw notAStore('it has no list "jobs"')
  const version = store['version'] ?? 1
  if (version !== 1) throw notAStore(`its version is ${JSON.stringify(version)}, and 1 is the one that is known`)
  return store['jobs'].map((entry: unknown, index) => readEntry(entry, index))
}

function readStore(text: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { protoAction: 'remove', constructorAction: 'remove' })
  } catch (error) {
    throw notAStore(messageOf(error))
  }
}

const notAStore = (why: string) =>
  badRequest('not_a_job_store', `This is not a jobs file of nanobot: ${why}`, 'Usually it is cron/jobs.json.')

function readEntry(entry: unknown, index: number): NanobotEntry {
  const job = isObject(entry)
    ? { ...toCamel(entry), schedule: partOf(entry['schedule']), payload: partOf(entry['payload'] ?? {}) }
    : entry
  const id = isObject(job) && typeof job['id'] === 'string' ? job['id'] : `#${index + 1}`
  const name = isObject(job) && typeof job['name'] === 'string' ? job['name'] : ''
  if (Value.Check(Job, job)) return { id, name, job }
  const [error] = Value.Errors(Job, job)
  return { id, name, fault: error ? describeMisfit(error) : 'is not a job' }
}

const partOf = (value: unknown) => (isObject(value) ? toCamel(value) : value)

/** Both ways of writing occur: `channelMeta` and `channel_meta`. What is inside a value stays as it is. */
function toCamel(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      each,
    ]),
  )
}

import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox, Static } from '@fastify/type-provider-typebox'
import { createRecent } from '../../engine/recent'
import type { Metrics } from '../../metrics/process-metrics'
import type { About } from './about'
import { isLoopback } from '../http-config'
import type { HttpConfig } from '../http-config'
import { failures, GUARDED } from '../schemas/envelope'

/** Each check resolves when the part answers and rejects when it does not, within two seconds. */
export interface Health {
  postgres(): Promise<void>
  temporal(): Promise<void>
  /** How the channels of all bots stand; detail, not a condition. */
  channels?(): Promise<{ channel: string; health: string }[]>
}

const CHECK_WITHIN_MS = 2_000
/** Anyone may ask as often as they like: PostgreSQL and Temporal are asked once in this time. */
const READY_FOR_MS = 1_000

const Part = Type.Enum(['ok', 'down'])
const Readiness = Type.Object({
  status: Type.Enum(['ready', 'unavailable']),
  postgres: Part,
  temporal: Part,
  version: Type.String(),
  channels: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()), {
      description: 'How many channels of bots stand how, by platform; they do not make the server unready.',
    }),
  ),
})

const alive = {
  operationId: 'healthz',
  summary: 'The process is there',
  tags: ['operations'],
  response: { 200: Type.Object({ status: Type.Literal('ok') }), ...failures(500) },
}
const ready = {
  operationId: 'readyz',
  summary: 'PostgreSQL and Temporal answer',
  tags: ['operations'],
  response: { 200: Readiness, 503: Readiness, ...failures(500) },
}
const figures = {
  operationId: 'metrics',
  summary: 'Figures for Prometheus',
  description: 'Open when the server listens on loopback only; otherwise it needs the scope `read`.',
  tags: ['operations'],
  response: {
    200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: Type.String() } } },
    ...GUARDED,
  },
}

export function operationRoutes(
  { health, metrics, about }: { health: Health; metrics: Metrics; about: About },
  config: HttpConfig,
): FastifyPluginAsyncTypebox {
  const auth = isLoopback(config.host) ? 'public' : 'read'
  return async (app) => {
    app.get('/healthz', { schema: alive, config: { auth: 'public' } }, async () => ({ status: 'ok' as const }))

    const recent = createRecent<Static<typeof Readiness>>(READY_FOR_MS)
    const look = async (): Promise<Static<typeof Readiness>> => {
      const [postgres, temporal] = await Promise.all([check(health.postgres()), check(health.temporal())])
      const isReady = postgres === 'ok' && temporal === 'ok'
      const status = isReady ? ('ready' as const) : ('unavailable' as const)
      const channels = postgres === 'ok' ? await countChannels(health) : undefined
      const detail = { postgres, temporal, version: about.version, ...(channels && { channels }) }
      return { status, ...detail }
    }
    app.get('/readyz', { schema: ready, config: { auth: 'public' } }, async (_request, reply) => {
      const readiness = await recent.get('', look)
      return reply.status(readiness.status === 'ready' ? 200 : 503).send(readiness)
    })

    app.get('/metrics', { schema: figures, config: { auth } }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.render()),
    )
  }
}

/** Numbers, not bots: anyone may ask. */
async function countChannels(health: Health): Promise<Record<string, Record<string, number>> | undefined> {
  const found = (await health.channels?.().catch(() => [])) ?? []
  if (found.length === 0) return undefined
  const counts: Record<string, Record<string, number>> = {}
  for (const { channel, health: state } of found) {
    const of = (counts[channel] ??= {})
    of[state] = (of[state] ?? 0) + 1
  }
  return counts
}

/** Only whether it answers, and soon: why not may hold addresses, and is in the log of the part that asked. */
async function check(answer: Promise<void>): Promise<'ok' | 'down'> {
  const cancel = new AbortController()
  const late = delay(CHECK_WITHIN_MS, 'down' as const, { signal: cancel.signal, ref: false })
  const state = await Promise.race([answer.then(() => 'ok' as const), late]).catch(() => 'down' as const)
  cancel.abort()
  await late.catch(() => undefined)
  return state
}

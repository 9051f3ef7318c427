import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'

/** What the product counts about its word: kept how late, broken how, repaired what, answered how fast. */
export function createDomainMetrics(
  registry: Registry,
  read: {
    pendingPromises(): Promise<{ kind: string; pending: number; overdue: number }[]>
    outboxSize(): Promise<number>
    spooled(): Promise<number>
    channelHealth(): Promise<{ channel: string; botUuid: string; health: string }[]>
  },
) {
  const registers = [registry]
  const lateness = new Histogram({
    name: 'punctual_promise_lateness_seconds',
    help: 'How late a promise was kept.',
    labelNames: ['kind'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3_600],
    registers,
  })
  const ended = new Counter({
    name: 'punctual_promises_ended_total',
    help: 'Promises that ended in this process, by state.',
    labelNames: ['kind', 'state'],
    registers,
  })
  const repairs = new Counter({
    name: 'punctual_reconciler_repairs_total',
    help: 'What the reconciler mended.',
    labelNames: ['what'],
    registers,
  })
  const reconcilerFailures = new Counter({
    name: 'punctual_reconciler_failures_total',
    help: 'Steps and rows that the reconciler could not look after.',
    labelNames: ['step'],
    registers,
  })
  const turns = new Histogram({
    name: 'punctual_turn_seconds',
    help: 'Time of a turn from its start to its answer.',
    labelNames: ['origin', 'status'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    registers,
  })
  const model = new Histogram({
    name: 'punctual_model_seconds',
    help: 'Time of one call to the model.',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  })
  new Gauge({
    name: 'punctual_postgres_up',
    help: 'Whether PostgreSQL answered when these figures were read: 1 when it did.',
    registers,
    async collect() {
      this.set((await known(read.outboxSize())) === undefined ? 0 : 1)
    },
  })
  new Gauge({
    name: 'punctual_promises',
    help: 'Promises of every kind that are not kept yet; `overdue` are those a minute past their time.',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      this.reset()
      for (const { kind, pending, overdue } of (await known(read.pendingPromises())) ?? []) {
        this.set({ kind, state: 'pending' }, pending)
        this.set({ kind, state: 'overdue' }, overdue)
      }
    },
  })
  new Gauge({
    name: 'punctual_outbox_entries',
    help: 'What Temporal has not been told yet.',
    registers,
    async collect() {
      this.set((await known(read.outboxSize())) ?? Number.NaN)
    },
  })
  const historyFailures = new Counter({
    name: 'punctual_history_write_failures_total',
    help: 'Answers that PostgreSQL would not take when they were given.',
    registers,
  })
  new Gauge({
    name: 'punctual_unwritten_answers',
    help: 'Of those, the ones that still wait on the disk of this process.',
    registers,
    async collect() {
      this.set(await read.spooled())
    },
  })
  new Gauge({
    name: 'punctual_channel_up',
    help: 'Whether the channel of a bot stands: 1 when it does.',
    labelNames: ['channel', 'bot'],
    registers,
    async collect() {
      this.reset()
      for (const { channel, botUuid: bot, health } of (await known(read.channelHealth())) ?? []) {
        this.set({ channel, bot }, health === 'ok' ? 1 : 0)
      }
    },
  })
  return {
    promiseKept(kind: string, lateByMs: number) {
      lateness.observe({ kind }, Math.max(0, lateByMs) / 1_000)
      ended.inc({ kind, state: 'sent' })
    },
    historyWriteFailed: () => historyFailures.inc(),
    promiseEnded: (kind: string, state: string) => ended.inc({ kind, state }),
    repaired: (what: string, count: number) => repairs.inc({ what }, count),
    reconcilerFailed: (step: string) => reconcilerFailures.inc({ step }),
    turnEnded: (origin: string, status: string, seconds: number) => turns.observe({ origin, status }, seconds),
    modelCalled: (outcome: string, seconds: number) => model.observe({ outcome }, seconds),
  }
}

/** What cannot be read now is left out: figures are wanted most when something is away. */
const known = <T>(figure: Promise<T>): Promise<T | undefined> => figure.catch(() => undefined)

export type DomainMetrics = ReturnType<typeof createDomainMetrics>

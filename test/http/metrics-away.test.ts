import { createMetrics } from '../../src/metrics/process-metrics'
import { createDomainMetrics } from '../../src/metrics/domain-metrics'

test('the figures go on while PostgreSQL is away, and say that it is', async () => {
  let away = true
  const read = async <T>(figure: T) => {
    if (away) throw new Error('connect ECONNREFUSED')
    return figure
  }
  const { registry } = createMetrics()
  const metrics = createDomainMetrics(registry, {
    pendingPromises: () => read([{ kind: 'run', pending: 3, overdue: 0 }]),
    outboxSize: () => read(1),
    spooled: async () => 0,
    channelHealth: () => read([]),
  })
  metrics.promiseKept('scheduled_message', 40)
  const blind = await registry.metrics()
  expect(blind).toContain('punctual_postgres_up 0')
  expect(blind).toContain('punctual_promises_ended_total{kind="scheduled_message",state="sent"} 1')
  expect(blind).not.toContain('punctual_promises{')
  away = false
  const seeing = await registry.metrics()
  expect(seeing).toContain('punctual_postgres_up 1')
  expect(seeing).toContain('punctual_promises{kind="run",state="pending"} 3')
})

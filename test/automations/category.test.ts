import type { LegacyTarget } from '../../src/automations/contract'
import { categoryOf, isSystemJob } from '../../src/automations/category'

const target = (change: Partial<LegacyTarget> = {}): LegacyTarget => ({
  ...{ oldId: 'a1', deliver: false, channel: null, to: null, channelMeta: {} },
  ...change,
})
const job = (change: Partial<Parameters<typeof categoryOf>[0]>) => ({
  ...{ kind: 'agent_turn' as const, name: 'tea', sessionKey: null, legacy: null },
  ...change,
})

test.each([
  ['a session and no target', job({ sessionKey: 's' }), 'bound'],
  ['a session and an import that names no target', job({ sessionKey: 's', legacy: target() }), 'bound'],
  ['a session and deliver', job({ sessionKey: 's', legacy: target({ deliver: true }) }), 'legacy'],
  ['a session and a channel', job({ sessionKey: 's', legacy: target({ channel: 'telegram' }) }), 'legacy'],
  ['a session and an address', job({ sessionKey: 's', legacy: target({ to: '7' }) }), 'legacy'],
  ['a session and channel meta', job({ sessionKey: 's', legacy: target({ channelMeta: { x: 1 } }) }), 'legacy'],
  ['no session', job({ legacy: target() }), 'legacy'],
  ['no session and a target', job({ legacy: target({ deliver: true, channel: 'cli', to: 'direct' }) }), 'legacy'],
  ['a system event', job({ kind: 'system_event' }), 'system'],
  ['a system event with a session', job({ kind: 'system_event', sessionKey: 's' }), 'system'],
  ['no session and the name dream', job({ name: 'dream', legacy: target() }), 'system'],
  ['no session and the name heartbeat', job({ name: 'heartbeat' }), 'system'],
  ["a person's automation that is called dream", job({ name: 'dream', sessionKey: 's' }), 'bound'],
] as const)('a job with %s is %s', (_words, given, expected) => {
  expect(categoryOf(given)).toBe(expected)
})

test.each([
  ['heartbeat', true],
  ['system/dream', true],
  ['retention', true],
  ['dreams', false],
  ['Dream', false],
  ['', false],
])('whether "%s" names a system job is %s', (name, expected) => {
  expect(isSystemJob(name)).toBe(expected)
})

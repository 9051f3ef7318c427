import { Writable } from 'node:stream'
import pino from 'pino'
import { safeLogging } from '../../src/http/logging'

const CANARY = 'canary-what-a-person-wrote'

test('an error of PostgreSQL repeats the row it is about, and the log of no process does', () => {
  const lines: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) })
  const logger = pino(safeLogging('info'), sink)
  const error = Object.assign(new Error(`new row violates a check: ${CANARY}`), {
    ...{ code: '23514', detail: `Failing row contains (1, ${CANARY}).`, query: `INSERT … '${CANARY}'` },
  })
  logger.error({ err: error }, 'a turn failed')
  logger.child({ turnId: 't' }).error({ err: new Error('outer', { cause: error }) }, 'a turn failed')
  expect(lines).toHaveLength(2)
  expect(lines.join('')).toContain('23514')
  expect(lines.join('')).not.toContain(CANARY)
})

import { ConfigError, readConfig } from '../config'
import { CHECKS } from './doctor-checks'
import type { Finding } from './doctor-checks'

const MARKS = { good: 'ok  ', warning: 'look', fault: 'BAD ' } as const

/** `npm run doctor`: looks at everything that a start needs and says what to do about what is wrong. */
async function main(): Promise<void> {
  const config = readConfig()
  const findings = await Promise.all(CHECKS.map(async (check) => check(config).catch(unexpected)))
  for (const finding of findings.flat()) process.stdout.write(`${format(finding)}\n`)
  const faults = findings.flat().filter(({ state }) => state === 'fault').length
  process.stdout.write(faults === 0 ? '\nNothing stands in the way of a start.\n' : `\n${faults} to mend.\n`)
  process.exitCode = faults === 0 ? 0 : 1
}

function format({ state, subject, said, toDo }: Finding): string {
  const line = `${MARKS[state]}  ${subject.padEnd(10)}  ${said}`
  return toDo === undefined ? line : `${line}\n${' '.repeat(18)}→ ${toDo}`
}

function unexpected(error: unknown): Finding[] {
  return [{ state: 'warning', subject: 'doctor', said: `a check failed: ${String(error)}` }]
}

main().catch((error: unknown) => {
  process.stdout.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exitCode = 1
})

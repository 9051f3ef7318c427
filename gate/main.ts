import path from 'node:path'
import { parseArgs } from 'node:util'
import { CASES } from './cases'
import { isPassed, toTable, writeReports } from './report'
import { closeRigs, runCases } from './run-cases'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '2' },
    out: { type: 'string', default: 'dist/gate-report' },
    list: { type: 'boolean', default: false },
  },
})

async function main(): Promise<void> {
  const unknown = positionals.filter((id) => !CASES.some((each) => matches(each.id, id)))
  if (unknown.length > 0) throw new Error(`there is no case ${unknown.join(', ')}; --list shows them`)
  const wanted = CASES.filter(({ id, inSmall }) =>
    positionals.length > 0 ? positionals.some((each) => matches(id, each)) : !values.small || inSmall,
  )
  if (values.list) return void process.stdout.write(`${wanted.map(({ id, title }) => `${id}\t${title}`).join('\n')}\n`)
  const say = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
  const results = await runCases(wanted, {
    isSmall: values.small,
    lanes: Number(values.lanes),
    evidence: path.resolve(values.out, 'missed'),
    say,
    onResult(result) {
      say(`${result.id}: ${isPassed(result) ? 'holds' : 'MISSED'} ${JSON.stringify(result.outcome.figures ?? {})}`)
      for (const miss of result.outcome.misses) say(`${result.id}:   ${miss}`)
    },
  })
  const inOrder = CASES.flatMap(({ id }) => results.filter((result) => result.id === id))
  const command = `npm run gate${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`
  writeReports(path.resolve(values.out), inOrder, command)
  process.stdout.write(`${toTable(inOrder)}\n`)
  const missed = inOrder.filter((result) => !isPassed(result)).length
  process.stdout.write(`${inOrder.length - missed} of ${inOrder.length} hold\n`)
  process.exitCode = missed === 0 ? 0 : 1
}

/** `A3`, or a whole family by its letter. */
const matches = (id: string, wanted: string) => id === wanted.toUpperCase() || id[0] === wanted.toUpperCase()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeRigs().finally(() => process.exit(130)))
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)

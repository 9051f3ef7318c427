import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Result } from './run-cases'

export const isPassed = ({ outcome }: Result): boolean => outcome.misses.length === 0

const COLUMNS = ['case', 'what is done', 'N', 'lost', 'twice', 'late p99', 'took', 'result']

function cellsOf(result: Result): string[] {
  const { id, title, n, outcome, tookMs } = result
  const { lost, twice, lateP99Ms } = outcome
  const late = lateP99Ms === null ? '–' : `${lateP99Ms} ms`
  const verdict = !isPassed(result) ? 'MISSED' : result.owes === undefined ? 'holds' : `holds; owed: ${result.owes}`
  return [id, title, String(n), String(lost), String(twice), late, `${Math.round(tookMs / 1_000)} s`, verdict]
}

export function toMarkdown(results: readonly Result[], command: string): string {
  const rows = results.map((result) => `| ${cellsOf(result).join(' | ')} |`)
  const missed = results.filter((result) => !isPassed(result))
  const why = missed.flatMap(({ id, outcome }) => outcome.misses.map((miss) => `- ${id}: ${miss.split('\n')[0]}`))
  const head = [`| ${COLUMNS.join(' | ')} |`, `|${COLUMNS.map(() => '---').join('|')}|`]
  return [`\`${command}\` · ${machine()}`, '', ...head, ...rows, '', ...why].join('\n')
}

/** Aligned for a terminal. */
export function toTable(results: readonly Result[]): string {
  const rows = [COLUMNS, ...results.map(cellsOf)].map((cells) => cells.map((cell) => cell.slice(0, 76)))
  const widths = COLUMNS.map((_name, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).join('\n')
}

export function machine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    encoding: 'utf8',
    cwd: path.resolve(__dirname, '../..'),
  })
  const memory = Math.round(os.totalmem() / 1024 ** 3)
  const load = os.loadavg()[0]!.toFixed(1)
  const when = new Date().toISOString().slice(0, 16)
  return `commit ${commit.trim()}, ${os.cpus().length} cores, ${memory} GB, Node ${process.version}, load ${load}, ${when} UTC`
}

/** The record of a run, as JSON and as Markdown. */
export function writeReports(folder: string, results: readonly Result[], command: string): void {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'gate.md'), `${toMarkdown(results, command)}\n`)
  fs.writeFileSync(
    path.join(folder, 'gate.json'),
    `${JSON.stringify({ command, machine: machine(), results }, null, 2)}\n`,
  )
}

import { readFile, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createStorage } from './build/storage'
import { readConfig } from './config'
import { findDatabase } from './embedded/find-database'
import { AppError, messageOf } from './errors'
import { importJobs, readNanobotJobs } from './automations'
import type { ImportLine } from './automations/import/import-jobs'
import type { BotStore } from './access/bot-store'

const USAGE = 'usage: npm run import:nanobot -- jobs.json [--bot UUID]'
const LARGEST_BYTES = 20 * 1024 * 1024

/** `npm run import:nanobot`: takes over the jobs of nanobot, on the database of DATABASE_URL or of the data folder. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { bot: { type: 'string' } } })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Error(USAGE)
  const entries = readNanobotJobs(await readText(file))
  const config = readConfig()
  const { database, stores } = createStorage({ databaseUrl: await findDatabase(config), poolSize: 2 })
  try {
    const botUuid = await chooseBot(stores.bots, values.bot)
    const lines = await importJobs(
      {
        automations: stores.automations,
        sessions: stores.sessions,
        clock: stores.clock,
        botUuid,
        timezone: config.timezone,
      },
      entries,
    )
    process.stdout.write(`${formatLines(lines)}\n`)
    const isUseless = lines.length > 0 && lines.every(({ outcome }) => outcome === 'refused')
    if (isUseless) process.exitCode = 1
  } finally {
    await database.close()
  }
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > LARGEST_BYTES) throw new Error('it has more than 20 MB')
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function chooseBot(bots: BotStore, wanted: string | undefined): Promise<string> {
  const all = await bots.list('all')
  const list = all.map(({ uuid, name }) => `  ${uuid}  ${name}`).join('\n')
  if (all.length === 0) throw new Error('There is no bot yet: run "npm start" first')
  if (wanted === undefined && all.length > 1) throw new Error(`Say which bot by --bot UUID:\n${list}`)
  const bot = wanted === undefined ? all[0] : all.find(({ uuid }) => uuid === wanted)
  if (!bot) throw new Error(`There is no bot ${wanted}. There are:\n${list}`)
  return bot.uuid
}

function formatLines(lines: ImportLine[]): string {
  const head = ['outcome', 'old id', 'name', 'id here', 'note']
  const cells = lines.map(({ outcome, oldId, name, id, note }) => [outcome, oldId, name.slice(0, 40), id ?? '-', note])
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]!.length)))
  const table = [head, ...cells].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  const count = (outcome: ImportLine['outcome']) => lines.filter((line) => line.outcome === outcome).length
  const summary = (['imported', 'known', 'skipped', 'refused'] as const)
    .map((each) => `${count(each)} ${each}`)
    .join(', ')
  return [...(lines.length > 0 ? table : []), `${lines.length} jobs read: ${summary}`].join('\n')
}

main().catch((error: unknown) => {
  const hint = error instanceof AppError && error.hint !== undefined ? `\n${error.hint}` : ''
  const text = messageOf(error)
  const isOld = /(relation|table) \S+ does not exist/.test(text)
  process.stderr.write(isOld ? 'The database is not up to date: run "npm run migrate" first\n' : `${text}${hint}\n`)
  process.exitCode = 1
})

import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { createProduct } from '../src/build/product'
import { readConfig } from '../src/config'
import { ensureDatabase } from '../src/embedded/ensure-database'
import { migrateDeploy } from '../src/embedded/migrate'
import { findFreePort } from '../src/embedded/ports'
import { startPostgres } from '../src/embedded/postgres'
import { readDialogues } from './dialogue'
import { runDialogues, scoreByKind } from './run-dialogues'

/**
 * npm run eval [-- KIND …]: how well a model does what people ask, by what its turns really did. The model is the one of
 * OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL, or the offline model. Nothing is sent anywhere but to the model.
 */
const say = (line: string) => void process.stdout.write(`${line}\n`)

async function main(): Promise<number> {
  const kinds = process.argv.slice(2)
  const isOffline = !process.env['OPENAI_API_KEY'] && !process.env['OPENAI_BASE_URL']
  const chosen = readDialogues().filter(
    ({ kind, offline }) => (kinds.length === 0 || kinds.includes(kind)) && (!isOffline || offline !== false),
  )
  if (chosen.length === 0) {
    say(
      `There are no such dialogues; the kinds are ${[...new Set(readDialogues().map(({ kind }) => kind))].join(', ')}.`,
    )
    return 2
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-eval-'))
  const password = randomBytes(12).toString('hex')
  const postgres = await startPostgres({ dir: path.join(folder, 'postgres'), port: await findFreePort(), password })
  try {
    await ensureDatabase(postgres.url('punctual').replace(/punctual$/, 'postgres'), 'punctual')
    await migrateDeploy(postgres.url('punctual'))
    // What is promised is decided by the rows alone: no Temporal is asked.
    const own = { DATABASE_URL: postgres.url('punctual'), TEMPORAL_ADDRESS: '127.0.0.1:1', PUNCTUAL_DATA_DIR: folder }
    const config = readConfig({ ...process.env, ...own, PUNCTUAL_TURNS_PER_PERSON: '1000000' })
    const product = await createProduct(config, pino({ level: 'silent' }))
    try {
      const verdicts = await runDialogues(product, chosen, {
        onVerdict: ({ dialogue, faults }) => faults.forEach((fault) => say(`✗ ${dialogue.id} ${fault}`)),
      })
      const scores = scoreByKind(verdicts)
      for (const { kind, passed, of } of scores) say(`${kind.padEnd(14)} ${passed} of ${of}`)
      const passed = scores.reduce((sum, score) => sum + score.passed, 0)
      say(`all            ${passed} of ${verdicts.length} (${Math.round((100 * passed) / verdicts.length)} %)`)
      return passed === verdicts.length ? 0 : 1
    } finally {
      await product.close()
    }
  } finally {
    await postgres.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

void main().then((code) => process.exit(code))

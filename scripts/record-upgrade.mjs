#!/usr/bin/env node
// Records what an older version leaves behind, for the tests in test/upgrade: see "Upgrades" in docs/testing.md.
//   node scripts/record-upgrade.mjs <commit> <folder> [--temporal <binary>]
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { checkOut, startOld, stopOld } from './record-upgrade/old-product.mjs'
import { dumpDatabase, packTemporal } from './record-upgrade/dump.mjs'
import { startOutside } from './record-upgrade/outside.mjs'
import { createApi, fillInstallation, fillUnified } from './record-upgrade/promises.mjs'
import { listOpenWorkflows } from './record-upgrade/workflows.mjs'

/** Everything is made, and the old version stopped, within this time; only then is it due. */
const DUE_AFTER_MS = 6 * 60_000

const { positionals, values } = parseArgs({ allowPositionals: true, options: { temporal: { type: 'string' } } })
const [commit, target] = positionals
if (!commit || !target)
  throw new Error('usage: node scripts/record-upgrade.mjs <commit> <folder> [--temporal <binary>]')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-upgrade-'))
const outside = await startOutside()
let old
const say = (line) => process.stderr.write(`${line}\n`)
try {
  const checkout = checkOut(commit, folder, values.temporal)
  const settings = { TRUSTED_EGRESS_HOSTS: outside.host, GITHUB_API_URL: `${outside.url}/github` }

  say('starting the old version')
  old = await startOld(checkout, { ...settings, UNIFIED_SESSION: 'true' })
  const dueAt = new Date(Date.now() + DUE_AFTER_MS)
  const unified = await fillUnified(createApi(old), dueAt)
  await stopOld(old)

  old = await startOld(checkout, settings)
  const api = createApi(old)
  const made = await fillInstallation({ api, outside, dueAt, checkout, say })
  const openWorkflows = await listOpenWorkflows(checkout)
  await stopOld(old)
  if (Date.now() > dueAt.getTime()) throw new Error('the old version was still running when its promises became due')

  fs.mkdirSync(target, { recursive: true })
  const sizes = [await dumpDatabase(checkout, path.join(target, 'database.sql.br')), ...packTemporal(checkout, target)]
  const record = {
    commit,
    outsideUrl: outside.url,
    dueAt: dueAt.toISOString(),
    ...made,
    sessions: { ...made.sessions, ...unified },
    openWorkflows,
  }
  fs.writeFileSync(path.join(target, 'made.json'), `${JSON.stringify(record, null, 1)}\n`)
  const { postgresPassword, jwtSecret } = JSON.parse(
    fs.readFileSync(path.join(checkout.dataDir, 'instance.json'), 'utf8'),
  )
  fs.writeFileSync(path.join(target, 'instance.json'), `${JSON.stringify({ postgresPassword, jwtSecret }, null, 2)}\n`)
  fs.copyFileSync(path.join(checkout.dataDir, 'credentials.json'), path.join(target, 'credentials.json'))
  say(`recorded in ${target}: ${sizes.reduce((sum, size) => sum + size, 0)} bytes packed`)
} finally {
  await stopOld(old)
  await outside.close()
  fs.rmSync(folder, { recursive: true, force: true })
}

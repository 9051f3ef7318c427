import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inRoot } from './files.mjs'
import { SetupError, say } from './progress.mjs'

const lockFile = inRoot('.cache', 'setup.lock')
const TOUCH_EVERY_MS = 2_000
const STALE_AFTER_MS = 15_000
const GIVE_UP_AFTER_MS = 20 * 60_000

/** Only one install or build at a time in a checkout: the others wait for it and then find it done. */
export async function withSetupLock(work) {
  await acquire()
  const touch = setInterval(() => utimesSync(lockFile, new Date(), new Date()), TOUCH_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(touch)
    rmSync(lockFile, { force: true })
  }
}

async function acquire() {
  const deadline = Date.now() + GIVE_UP_AFTER_MS
  let told = false
  while (!tryCreate()) {
    if (isStale()) {
      rmSync(lockFile, { force: true })
      continue
    }
    if (Date.now() > deadline)
      throw new SetupError(`another set-up did not finish; remove ${lockFile} if none is running`)
    if (!told) say('another set-up is running in this folder; waiting for it …')
    told = true
    await pause(200)
  }
}

function tryCreate() {
  mkdirSync(path.dirname(lockFile), { recursive: true })
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** The holder touches the file while it works, so an old file belongs to nobody, whatever its pid is now. */
function isStale() {
  try {
    return Date.now() - statSync(lockFile).mtimeMs > STALE_AFTER_MS || !isAlive(Number(readFileSync(lockFile, 'utf8')))
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

function isAlive(pid) {
  if (!pid) return true // Created this instant, not written yet.
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isSameProcess, markProcess } from '../../src/embedded/process'
import { readMark } from '../../src/embedded/lock'

const PREFIX = 'punctual-test-'
const script = path.join(__dirname, 'reap.mjs')
const ownerFile = (dir: string) => path.join(dir, 'owner.json')

/** A folder for one test run that removes itself, with whatever runs on it, when this process ends in any way. */
export function createRunFolder(): { dir: string; reaper: ChildProcess } {
  removeLeftovers()
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), PREFIX)))
  fs.writeFileSync(ownerFile(dir), JSON.stringify(markProcess(process.pid)))
  const reaper = spawn(process.execPath, [script, dir, '--when-closed'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  reaper.unref()
  return { dir, reaper }
}

export async function reap(reaper: ChildProcess): Promise<void> {
  if (reaper.exitCode !== null) return
  const ended = once(reaper, 'exit')
  reaper.ref()
  reaper.stdin?.end()
  await ended
}

/** Folders of runs that were cut off together with their reaper, as by a machine that lost power. */
function removeLeftovers(): void {
  const names = fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(PREFIX))
  for (const dir of names.map((name) => path.join(fs.realpathSync(os.tmpdir()), name))) {
    const owner = readMark(ownerFile(dir))
    if (owner !== undefined && !isSameProcess(owner)) spawnSync(process.execPath, [script, dir], { timeout: 30_000 })
  }
}

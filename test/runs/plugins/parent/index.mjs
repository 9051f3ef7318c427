import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export async function handler({ notes }, { signal }) {
  const child = spawn('/bin/sleep', ['600'])
  signal.addEventListener('abort', () => fs.appendFileSync(notes, 'aborted\n'))
  fs.appendFileSync(notes, `${process.pid}\n${child.pid}\n`)
  await sleep(100_000, undefined, { signal })
}

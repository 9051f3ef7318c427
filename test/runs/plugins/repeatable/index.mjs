import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export async function handler({ notes, gate }, { signal }) {
  fs.appendFileSync(notes, `${process.pid}\n`)
  while (!fs.existsSync(gate)) await sleep(50, undefined, { signal })
  return { summary: 'the gate is open' }
}

import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export async function handler({ notes, gate }) {
  fs.appendFileSync(notes, 'in\n')
  while (!fs.existsSync(gate)) await sleep(50)
  await sleep(200)
  fs.appendFileSync(notes, 'out\n')
}

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Entry, Order, Step } from '../receivers/book'

/** The platforms in their own process, and the file in which they have written down what they took. */
export interface Receivers {
  ports: { webhook: number; telegram: number; onebot: number }
  secret: string
  entries(): Promise<Entry[]>
  behave(channel: Entry['channel'], ...steps: Step[]): Promise<void>
  say(message: NonNullable<Order['say']>): Promise<void>
  cutSockets(): Promise<void>
  close(): Promise<void>
}

export async function startReceivers(dir: string): Promise<Receivers> {
  const file = path.join(dir, 'ledger.jsonl')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const child = fork(path.resolve(__dirname, '../receivers/main.js'), [file], { execArgv: [] })
  const [{ ports }] = (await once(child, 'message')) as [{ ports: [number, number, number] }]
  const order = createOrders(child)
  await order({ trust: [secret] })
  return {
    ports: { webhook: ports[0], telegram: ports[1], onebot: ports[2] },
    secret,
    entries: () => readEntries(file),
    behave: (channel, ...steps) => order({ behave: { channel, steps } }),
    say: (say) => order({ say }),
    cutSockets: () => order({ sockets: 'cut' }),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Each order is answered, so that the next message already meets what was asked. */
function createOrders(child: ChildProcess) {
  let number = 0
  return (order: Omit<Order, 'number'>): Promise<void> => {
    number += 1
    const mine = number
    return new Promise((resolve) => {
      const onMessage = (message: { done?: number }) => {
        if (message.done !== mine) return
        child.off('message', onMessage)
        resolve()
      }
      child.on('message', onMessage)
      child.send({ ...order, number: mine })
    })
  }
}

async function readEntries(file: string): Promise<Entry[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
}

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createTestFolder } from './services'

/** One line of the file: a message as it arrived, repeats included. */
export interface LedgerEntry {
  webhookId: string
  botUuid: string | null
  sessionKey: string | null
  text: string | null
  textSha256: string
  /** Whether the signature was right, by the `standardwebhooks` library. */
  verified: boolean
  /** Whether it was answered 2xx at once. */
  accepted: boolean
  answer: number | string
  path: string
  /** As it was signed. */
  body: string
  atMs: number
}

/** How the next messages are answered, `times` each (without: from then on). When the steps have ended: 200. */
export type LedgerStep = { times?: number } & (
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'delay'; ms: number }
  | { kind: 'drip'; part?: 'head' | 'body'; gapMs?: number }
  | { kind: 'hang' }
  | { kind: 'endless' }
)

/** The oracle of the fault tests: a receiver in its own process that writes down all it gets. */
export interface Ledger {
  /** Every path below it is the ledger's too; the entry keeps the path. */
  url: string
  /** `host:port`, for TRUSTED_EGRESS_HOSTS. */
  host: string
  secret: string
  entries(): Promise<LedgerEntry[]>
  /** Replaces what was asked before; with no step all is well again. */
  behave(...steps: LedgerStep[]): Promise<void>
  /** Those it verifies by, instead of its own. */
  trust(...secrets: string[]): Promise<void>
  close(): Promise<void>
}

const script = path.join(__dirname, 'ledger-receiver.mjs')

export async function startLedger(folder = createTestFolder('ledger')): Promise<Ledger> {
  const file = path.join(folder, 'ledger.jsonl')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  // Flags of the test runner are not for a plain script.
  const child = fork(script, [file], { execArgv: [] })
  const port = await portOf(child)
  const order = createOrders(child)
  await order({ secrets: [secret] })
  return {
    url: `http://127.0.0.1:${port}/`,
    host: `127.0.0.1:${port}`,
    secret,
    entries: () => readEntries(file),
    behave: (...steps) => order({ steps }),
    trust: (...secrets) => order({ secrets }),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the ledger ended with ${code} before it listened`)))
    child.once('message', (message: { port: number }) => resolve(message.port))
  })
}

/** Each order is answered, so that the next request already meets what was asked. */
function createOrders(child: ChildProcess) {
  let number = 0
  return (order: { secrets?: string[]; steps?: LedgerStep[] }): Promise<void> => {
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

async function readEntries(file: string): Promise<LedgerEntry[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerEntry)
}

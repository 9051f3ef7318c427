import { appendFileSync } from 'node:fs'

/** One line of the ledger: a message as a platform took it, repeats included. */
export interface Entry {
  channel: 'webhook' | 'telegram' | 'onebot'
  /** What a receiver could tell repeats by: the `webhook-id`; the others have none. */
  id: string | null
  to: string
  text: string
  /** Whether the person now has it: answered 2xx, or taken and the answer lost. */
  taken: boolean
  answer: string
  atMs: number
}

/** How the next messages of a channel are answered, `times` each (without: from then on); then all is well again. */
export type Step = { times?: number } & (
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Takes the message and cuts the line before the answer; `first`: a text that it has seen is answered. */
  | { kind: 'cut'; first?: true }
  /** Answers this much later. */
  | { kind: 'delay'; ms: number }
  | { kind: 'hang' }
  /** One byte of the answer a second. */
  | { kind: 'drip' }
  /** An answer of ten gigabytes. */
  | { kind: 'endless' }
)

export interface Order {
  number: number
  behave?: { channel: Entry['channel']; steps: Step[] }
  /** Secrets that webhooks may be signed with. */
  trust?: string[]
  /** A person writes to a bot on a platform. */
  say?: { channel: 'telegram' | 'onebot'; token: string; from: number; text: string; chat?: number }
  /** Sockets of OneBot go silent or are cut. */
  sockets?: 'cut'
}

/** The file is the oracle: written before the answer, so that what was answered is in it, whoever dies when. */
export interface Book {
  next(channel: Entry['channel'], text: string): Step
  behave(channel: Entry['channel'], steps: Step[]): void
  write(entry: Omit<Entry, 'atMs' | 'taken' | 'answer'>, step: Step): void
}

const WELL: Step = { kind: 'status', status: 200 }

export function openBook(file: string): Book {
  const steps = new Map<Entry['channel'], Step[]>()
  const seen = new Set<string>()
  return {
    next(channel, text) {
      const waiting = steps.get(channel) ?? []
      const step = waiting[0]
      const isKnown = seen.has(channel + text)
      seen.add(channel + text)
      if (!step || (step.kind === 'cut' && step.first && isKnown)) return WELL
      step.times = (step.times ?? Infinity) - 1
      if (step.times <= 0) waiting.shift()
      return step
    },
    behave: (channel, next) => void steps.set(channel, next),
    write(entry, step) {
      const taken = step.kind === 'cut' || step.kind === 'delay' || (step.kind === 'status' && step.status < 300)
      const answer = step.kind === 'status' ? String(step.status) : step.kind
      appendFileSync(file, `${JSON.stringify({ ...entry, taken, answer, atMs: Date.now() })}\n`)
    },
  }
}

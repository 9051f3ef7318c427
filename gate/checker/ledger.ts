import type { Pool } from 'pg'
import type { Entry } from '../receivers/book'

export interface LedgerAccount {
  /** Sent by our rows, but nobody has it. */
  lost: string[]
  /** Somebody has it, but no row says so, or the row says that it was not sent. */
  unexplained: string[]
  /** Arrived more than once. */
  twice: number
  /** Arrived more often than calls were made that may have arrived, or again without the flag. */
  unflagged: string[]
}

interface Row {
  text: string | null
  channel: string
  state: string
  /** Calls that the platform took or may have taken; a worker that is too slow is taken for dead. */
  arrivals: number
  possible_duplicate: boolean
}

/** Every message that was to go out, with how it stands and how many calls may have arrived. */
const OUTGOING = `
  SELECT coalesce(h.message_content, m.message_text) AS text, d.channel, d.state,
    (d.possible_duplicate OR coalesce(m.possible_duplicate, false)) AS possible_duplicate,
    (SELECT count(*)::int FROM delivery_attempts a
     WHERE a.source_ref IN ('delivery:' || d.id, 'scheduled_message:' || d.scheduled_message_id)
       AND a.outcome IN ('started', 'accepted', 'uncertain')) AS arrivals
  FROM deliveries d
  LEFT JOIN message_history h ON h.id = d.message_id
  LEFT JOIN scheduled_messages m ON m.id = d.scheduled_message_id`

/** A message that comes late says so in a line of its own: the gate's words are told by their first three. */
export const wordsOf = (text: string): string => /canary-\w+ [\w.-]+ \d+/.exec(text)?.[0] ?? text

/** Compares what the platforms wrote down with what our rows say. */
export async function compareLedger(pool: Pool, entries: Entry[]): Promise<LedgerAccount> {
  const { rows } = await pool.query<Row>(OUTGOING)
  const taken = new Map<string, number>()
  const nameOf = (channel: string, text: string) => `${channel}: ${wordsOf(text)}`
  for (const { channel, text, taken: isTaken } of entries) {
    if (isTaken) taken.set(nameOf(channel, text), (taken.get(nameOf(channel, text)) ?? 0) + 1)
  }
  const account: LedgerAccount = { lost: [], unexplained: [], twice: 0, unflagged: [] }
  const known = new Map<string, Row[]>()
  for (const row of rows) {
    const name = nameOf(row.channel, row.text ?? '')
    known.set(name, [...(known.get(name) ?? []), row])
  }
  for (const [name, own] of known) {
    const got = taken.get(name) ?? 0
    const sent = own.filter(({ state }) => state === 'sent').length
    const arrivals = own.reduce((sum, row) => sum + row.arrivals, 0)
    if (got < sent) account.lost.push(name)
    if (got > 0 && sent === 0 && arrivals === 0) account.unexplained.push(name)
    account.twice += Math.max(0, got - Math.max(1, sent))
    const mayRepeat = own.some((row) => row.possible_duplicate || row.channel === 'webhook')
    if (got > sent && sent > 0 && (got > arrivals || !mayRepeat)) account.unflagged.push(name)
  }
  for (const name of taken.keys()) if (!known.has(name)) account.unexplained.push(name)
  return account
}

import { v7 as uuidv7 } from 'uuid'
import type { Product } from '../src/build/product'
import type { Caller } from '../src/contracts/caller'
import type { Session } from '../src/conversation/session'
import { judge } from './dialogue'
import type { Dialogue } from './dialogue'

const CALLER: Caller = { kind: 'user', id: 'eval', name: 'eval', scopes: ['read', 'send', 'admin'], bots: 'all' }

export interface Verdict {
  dialogue: Dialogue
  /** What went wrong, by turn; empty when it passed. */
  faults: string[]
}

/** Holds the dialogues, each in a chat of its own, so many at a time. */
export async function runDialogues(
  product: Product,
  dialogues: readonly Dialogue[],
  { width = 4, onVerdict = () => {} }: { width?: number; onVerdict?: (verdict: Verdict) => void } = {},
): Promise<Verdict[]> {
  const botUuid = uuidv7()
  await product.stores.bots.create({ uuid: botUuid, name: 'Eval' })
  const verdicts: Verdict[] = []
  let next = 0
  const lane = async () => {
    for (let at = next++; at < dialogues.length; at = next++) {
      const verdict = await hold(product, botUuid, dialogues[at]!)
      verdicts[at] = verdict
      onVerdict(verdict)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return verdicts
}

async function hold(product: Product, botUuid: string, dialogue: Dialogue): Promise<Verdict> {
  const session = await product.sessions.resolve(CALLER, {
    botUuid,
    launcherId: uuidv7(),
    launcherType: 'person',
    language: dialogue.lang,
  })
  for (const text of dialogue.sent ?? []) await remind(product, session, text)
  const faults: string[] = []
  for (const turn of dialogue.turns) {
    const answer = await product.chat.send(session, { message: turn.say, senderId: 'eval' })
    const found = judge(turn, answer.effects)
    const did = answer.effects.map((effect) => `${effect.did} ${effect.kind}`).join(', ') || 'nothing'
    faults.push(...found.map((fault) => `"${turn.say}": ${fault}; did ${did}; said "${answer.content.slice(0, 100)}"`))
  }
  return { dialogue, faults }
}

/** A reminder that comes at this moment. */
async function remind(product: Product, { sessionKey, timezone }: Session, messageText: string): Promise<void> {
  const id = uuidv7()
  const sendAt = new Date((await product.clock.now()).getTime() - 1)
  const row = { id, sessionKey, timezone, sendAt, messageText, replaceExisting: false, toolCallId: null }
  await product.stores.scheduledMessages.create(row)
  await product.stores.scheduledMessages.deliverOnWeb(id)
}

export interface Score {
  kind: string
  passed: number
  of: number
}

export function scoreByKind(verdicts: readonly Verdict[]): Score[] {
  const kinds = [...new Set(verdicts.map(({ dialogue }) => dialogue.kind))].sort()
  return kinds.map((kind) => {
    const mine = verdicts.filter(({ dialogue }) => dialogue.kind === kind)
    return { kind, passed: mine.filter(({ faults }) => faults.length === 0).length, of: mine.length }
  })
}

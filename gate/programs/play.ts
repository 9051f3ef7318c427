import { wordsOf } from '../checker/ledger'
import { promise } from '../rig/promises'
import type { Channel } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { sleep, until } from '../rig/wait'
import type { Command } from './command'

/** What the model knows of a promise: how it may end. */
interface Known {
  id: string
  text: string
  may: Set<'sent' | 'cancelled' | 'gone'>
}

let people = 20_000

/**
 * Plays one program in sessions of its own and answers what is not as the model says. The model: what was said to be promised is
 * sent; what was said to be cancelled or replaced is not; an operator's wish, or a cancel without an answer, leaves both open until
 * the row decides; the deleted have no row.
 */
export async function play(rig: Rig, program: readonly Command[]): Promise<string[]> {
  const person = (people += 1)
  const known: Known[] = []
  const pick = (which: number): Known | undefined => known[which % Math.max(1, known.length)]
  let number = 0

  async function schedule(inMs: number, channel: Channel, replace: boolean): Promise<void> {
    const text = `${rig.canary} program-${person} ${(number += 1)}`
    // Whoever hears no answer does not know; the row that may be there is only held to the rules of rows.
    const made = await promise(rig, { channel, person, dueMs: Date.now() + inMs, text, replace })
    if (replace) known.forEach(({ may }) => may.add('cancelled'))
    if (made) known.push({ id: made.id, text, may: new Set(['sent']) })
  }

  async function cancel(target: Known | undefined): Promise<void> {
    if (!target) return
    const where = `/api/v1/scheduled-messages/${target.id}`
    const { status, data } = await rig.call<{ cancelled: boolean }>('DELETE', where, { key: rig.bot.key })
    if (data?.cancelled) target.may = new Set(['cancelled'])
    else if (status !== 200) target.may.add('cancelled')
  }

  async function operate(verb: 'cancel' | 'terminate', target: Known | undefined): Promise<void> {
    if (!target) return
    target.may.add('cancelled')
    const client = await rig.temporalClient().catch(() => undefined)
    await client?.workflow
      .getHandle(`scheduled-message/${target.id}`)
      [verb]()
      .catch(() => undefined)
  }

  async function kill(part: 'door' | 'worker' | 'temporal' | 'postgres'): Promise<void> {
    if (part === 'temporal' || part === 'postgres') {
      rig[part].kill()
      return rig[part].start()
    }
    const [victim] = part === 'door' ? rig.doors : rig.workers
    await victim?.kill()
    void (part === 'door' ? rig.startDoor() : rig.startWorker()).catch(() => undefined)
  }

  async function deleteSessions(): Promise<void> {
    known.forEach(({ may }) => may.add('cancelled').add('gone'))
    const { rows } = await rig.pool.query<{ key: string }>(
      'SELECT session_key AS key FROM sessions WHERE launcher_id = $1 AND deleted_at IS NULL',
      [String(person)],
    )
    for (const { key } of rows)
      await rig.call('DELETE', `/api/v1/sessions/${encodeURIComponent(key)}`, { key: rig.bot.key })
  }

  for (const command of program) {
    if (command.do === 'schedule') await schedule(command.inMs, command.channel, false)
    else if (command.do === 'replace') await schedule(command.inMs, 'web', true)
    else if (command.do === 'cancel') await cancel(pick(command.which))
    else if (command.do === 'operator cancels') await operate('cancel', pick(command.which))
    else if (command.do === 'operator terminates') await operate('terminate', pick(command.which))
    else if (command.do === 'wait') await sleep(command.ms)
    else if (command.do === 'kill') await kill(command.part)
    else if (command.do === 'delete session') await deleteSessions()
    else if (command.do === 'cut') {
      rig.proxies[command.line].refuse()
      await sleep(command.ms)
      rig.proxies[command.line].pass()
    }
  }
  return judge(rig, person, known)
}

async function judge(rig: Rig, person: number, known: readonly Known[]): Promise<string[]> {
  const words = `${rig.canary} program-${person} %`
  const read = () =>
    rig.pool.query<{ id: string; status: string }>(
      'SELECT id, status FROM scheduled_messages WHERE message_text LIKE $1',
      [words],
    )
  const isDecided = async () => (await read()).rows.every(({ status }) => status !== 'pending')
  await until('the program is decided', isDecided, 240_000, 500).catch(() => undefined)
  const statusOf = new Map((await read()).rows.map(({ id, status }) => [id, status]))
  const arrived = new Map<string, number>()
  for (const { text, taken } of await rig.receivers.entries()) {
    if (taken) arrived.set(wordsOf(text), (arrived.get(wordsOf(text)) ?? 0) + 1)
  }
  return known.flatMap(({ id, text, may }) => {
    const status = statusOf.get(id) ?? 'gone'
    const wrong: string[] = []
    if (!may.has(status as 'sent')) wrong.push(`${text} is ${status}, and may be ${[...may].join(' or ')}`)
    if (status === 'cancelled' && !may.has('gone') && arrived.has(text)) wrong.push(`${text} is cancelled and arrived`)
    return wrong
  })
}

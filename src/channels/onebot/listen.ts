import { setTimeout as sleep } from 'node:timers/promises'
import type { InboundReading } from '../inbound/contract'
import type { Egress } from '../../egress/egress'
import { ChannelFailure } from '../channel'
import { textIn } from '../configuring'
import type { ConnectionContext, PlatformAccount } from '../platform'
import { unauthorizedFailure } from './actions'
import { numberOf } from './ids'
import { readEvent } from './read-event'
import { openSocket } from './socket'
import type { OneBotSocket } from './socket'

/** A side that says nothing for so long is asked, and has so long to answer. */
export const LIVENESS = { idleMs: 15_000, answerMs: 10_000 }

/** Hears events until the connection breaks or falls silent. OneBot tells an event once, so each is kept until it is stored. */
export async function listen(
  egress: Egress,
  account: PlatformAccount,
  context: ConnectionContext,
  { signal, liveness = LIVENESS }: { signal: AbortSignal; liveness?: typeof LIVENESS },
): Promise<void> {
  const token = textIn(account.secrets(), 'access_token') ?? ''
  const url = textIn(account.settings, 'url') ?? ''
  let heardAt = performance.now()
  const onEvent = (event: unknown) => {
    heardAt = performance.now()
    const reading = readEvent(event)
    if (reading.messages.length === 0) return
    context.keep(reading)
    markAsRead(reading, socket)
  }
  const socket = await openSocket(egress, { url, token, onEvent }, signal)
  try {
    // A side that refuses the token closes at once, or answers this with 1403.
    const first = await ask(socket, liveness.answerMs)
    if (first === 'ended' || isRefusal(first)) throw unauthorizedFailure()
    for (;;) {
      context.healthy()
      const ended = await Promise.race([socket.ended, sleep(liveness.idleMs, undefined, { ref: false })])
      if (signal.aborted) return
      if (ended !== undefined) throw new ChannelFailure('onebot_unreachable', true, `the connection ended (${ended})`)
      const isQuiet = performance.now() - heardAt >= liveness.idleMs
      if (isQuiet && (await ask(socket, liveness.answerMs)) === 'silent') {
        throw new ChannelFailure('onebot_silent', true, 'nothing was heard, and no answer came')
      }
    }
  } finally {
    socket.close()
  }
}

/** What the side answers, or that it did not in time, or that it hung up. */
async function ask(socket: OneBotSocket, withinMs: number): Promise<unknown> {
  const late = sleep(withinMs, 'silent' as const, { ref: false })
  const ended = socket.ended.then(() => 'ended' as const)
  return Promise.race([socket.call('get_login_info', {}).catch(() => 'ended' as const), ended, late])
}

/** A group that has been listened to shows no unread mark; a side that cannot do it loses nothing. */
function markAsRead({ messages: [message] }: InboundReading, socket: OneBotSocket): void {
  if (message?.launcherType !== 'group') return
  socket.call('mark_group_msg_as_read', { group_id: numberOf(message.launcherId) }).catch(() => undefined)
}

const isRefusal = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'retcode' in answer && [1401, 1403].includes(Number(answer.retcode))

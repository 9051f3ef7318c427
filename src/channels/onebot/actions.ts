import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Egress } from '../../egress/egress'
import { EgressError, EgressRefused, mayHaveArrived } from '../../egress/failures'
import { ChannelFailure } from '../channel'
import { textIn } from '../configuring'
import type { PlatformAccount } from '../platform'
import { openSocket } from './socket'

const ACTION_MS = 10_000

const Answer = Type.Object({
  status: Type.String(),
  retcode: Type.Number(),
  data: Type.Optional(Type.Unknown()),
  wording: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

/** Asks something of the OneBot side, over HTTP or a WebSocket by the scheme of its URL. */
export type Act = (action: string, params: Params) => Promise<unknown>
export type Params = Record<string, unknown>

/** Opens the way, does the work, and closes the way. */
export async function withActions<T>(
  account: PlatformAccount,
  egress: Egress,
  signal: AbortSignal,
  work: (act: Act) => Promise<T>,
): Promise<T> {
  const url = textIn(account.settings, 'url') ?? ''
  const token = textIn(account.secrets(), 'access_token')
  if (!token) throw new ChannelFailure('onebot_not_configured', false, 'the bot has no access token of OneBot')
  if (url.startsWith('http')) return work((action, params) => overHttp(egress, { url, token, signal }, action, params))
  const socket = await openSocket(egress, { url, token }, signal)
  try {
    return await work(async (action, params) => {
      const late = sleep(ACTION_MS, undefined, { signal, ref: false }).then(() => {
        throw new ChannelFailure('onebot_timeout', true, `no answer to ${action}`, { uncertain: true })
      })
      return readAnswer(await Promise.race([socket.call(action, params), late]))
    })
  } finally {
    socket.close()
  }
}

async function overHttp(
  egress: Egress,
  { url, token, signal }: { url: string; token: string; signal: AbortSignal },
  action: string,
  params: Params,
): Promise<unknown> {
  try {
    const { status, text } = await egress.request(`${url.replace(/\/+$/, '')}/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(params),
      deadlineMs: ACTION_MS,
      signal,
    })
    if (status === 401 || status === 403) throw unauthorizedFailure()
    if (status === 404) throw unknownAction()
    if (status >= 300)
      throw new ChannelFailure('onebot_unavailable', status >= 500 || status === 429, `answered ${status}`)
    return readAnswer(JSON.parse(text))
  } catch (error) {
    throw toFailure(error)
  }
}

export const unauthorizedFailure = () => new ChannelFailure('onebot_unauthorized', false, 'the access token is refused')

export const UNKNOWN_ACTION = 'onebot_unknown_action'
const unknownAction = () => new ChannelFailure(UNKNOWN_ACTION, false, 'the other side has no such action')

export function toFailure(error: unknown): unknown {
  if (error instanceof EgressRefused) return new ChannelFailure('onebot_refused', false, error.message)
  if (error instanceof EgressError) {
    return new ChannelFailure('onebot_unreachable', true, error.message, { uncertain: mayHaveArrived(error) })
  }
  return error instanceof SyntaxError ? unreadable('answered no JSON') : error
}

/** It was heard, and what became of it was not said. */
const unreadable = (why: string) => new ChannelFailure('onebot_unavailable', true, why, { uncertain: true })

/** 1404 and the like cannot pass; a side that timed out or has lost QQ may come back. */
const LOST = /timeout|timed out|超时/i
const PASSING = /timeout|timed out|超时|offline|离线|not login|未登录|频繁|limit/i

function readAnswer(answer: unknown): unknown {
  if (!Value.Check(Answer, answer)) throw unreadable('answered something else')
  if (answer.status === 'ok' || answer.status === 'async') return answer.data
  const says = (answer.wording ?? answer.message ?? '').slice(0, 200)
  if (answer.retcode === 1403 || answer.retcode === 1401) throw unauthorizedFailure()
  if (answer.retcode === 1404) throw unknownAction()
  // The other side has lost QQ's answer, not ours: the message may be there.
  const uncertain = LOST.test(says)
  throw new ChannelFailure('onebot_rejected', PASSING.test(says), `retcode ${answer.retcode}: ${says}`, { uncertain })
}

import type { Rig, RigBot } from './rig'
import { mapLimited } from './wait'

export type Channel = 'web' | 'webhook' | 'telegram' | 'onebot'

/** What a front door has promised: it answered 201. */
export interface Promised {
  id: string
  text: string
  channel: Channel
  sessionKey: string
  dueMs: number
  tookMs: number
}

export interface Wish {
  channel: Channel
  person: number
  dueMs: number
  text: string
  replace?: boolean
  bot?: RigBot
}

/** Asks for a private message over HTTP. Undefined: nothing was promised, and the person was told so or heard nothing. */
export async function promise(rig: Rig, wish: Wish): Promise<Promised | undefined> {
  const { bot = rig.bot, channel, person, dueMs, text } = wish
  const { status, data, tookMs } = await rig.call<{ task_id: string; session_id: string }>(
    'POST',
    '/api/v1/scheduled-messages',
    {
      key: bot.key,
      body: {
        ...{ bot_uuid: bot.uuid, channel, launcher_type: 'person', launcher_id: String(person) },
        ...{ send_at: new Date(dueMs).toISOString(), message_text: text, replace_existing: wish.replace ?? false },
      },
    },
  )
  if (status !== 201 || !data) return undefined
  return { id: data.task_id, sessionKey: data.session_id, text, channel, dueMs, tookMs }
}

/** As many as the platforms' own pace lets through in time: OneBot takes one a second, Telegram thirty. */
export function channelOf(number: number): Channel {
  if (number % 20 === 19) return 'onebot'
  if (number % 20 >= 16) return 'telegram'
  return number % 2 === 0 ? 'web' : 'webhook'
}

/** So many promises over all channels, eight to a person, some at a time. */
export async function promiseMany(
  rig: Rig,
  { count, dueMs, name, channel = channelOf, width = 8 }: ManyPromises,
): Promise<(Promised | undefined)[]> {
  const at = typeof dueMs === 'number' ? () => dueMs : dueMs
  return mapLimited(count, width, (number) =>
    promise(rig, {
      channel: channel(number),
      person: 1_000 + (number % Math.ceil(count / 8)),
      dueMs: at(number),
      text: `${rig.canary} ${name} ${number}`,
    }),
  )
}

export interface ManyPromises {
  count: number
  dueMs: number | ((number: number) => number)
  name: string
  channel?: (number: number) => Channel
  width?: number
}

export const isPromised = (made: Promised | undefined): made is Promised => made !== undefined

import { createHash } from 'node:crypto'
import { CHANNELS, LAUNCHER_TYPES } from './words'
import type { ChannelName, LauncherType } from './words'

/** As long as the column that holds it. */
const LONGEST = 512
const DERIVED = new RegExp(`^(${CHANNELS.join('|')}):(.+):(${LAUNCHER_TYPES.join('|')}):([^:/]+)$`)
const RESERVED = new RegExp(`^(${CHANNELS.join('|')}|unified|cron):`)

/** Who talks with which bot, and where: what the key of a session follows from when nobody names one. */
export interface SessionPlace {
  channel: ChannelName
  botUuid: string
  launcherType: LauncherType
  launcherId: string
}

/** Keys of this form are made by the server; whoever names one must be able to derive it. */
export const isReservedKey = (key: string): boolean => RESERVED.test(key)

export function derivedKey(place: SessionPlace): string {
  return fitting(`${place.channel}:${place.botUuid}:${place.launcherType}:`, encodeURIComponent(place.launcherId))
}

/** An id whose key would not fit is shortened to its hash. */
function fitting(front: string, id: string): string {
  const whole = front + id
  return whole.length <= LONGEST ? whole : `${front}~${createHash('sha256').update(id).digest('base64url')}`
}

/** What a derived key was made of; null for any other key, and for one whose id was shortened. */
export function readDerivedKey(key: string): SessionPlace | null {
  const [, channel, botUuid, launcherType, id] = DERIVED.exec(key) ?? []
  if (channel === undefined || botUuid === undefined || id === undefined) return null
  const launcherId = decode(id)
  if (launcherId === null || encodeURIComponent(launcherId) !== id) return null
  return { channel: channel as ChannelName, botUuid, launcherType: launcherType as LauncherType, launcherId }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Where a bot keeps a session whose key another bot was first to use. No key that a caller may choose has a slash. */
export const scopedKey = (botUuid: string, key: string): string => fitting(`${botUuid}/`, key)

/** The key as its bot's people know it. */
export function ownName({ botUuid, sessionKey }: { botUuid: string; sessionKey: string }): string {
  const scope = scopedKey(botUuid, '')
  return sessionKey.startsWith(scope) ? sessionKey.slice(scope.length) : sessionKey
}

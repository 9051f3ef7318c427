import { maySeeBot } from '../contracts/caller'
import type { Caller } from '../contracts/caller'
import type { ConversationKey, ConversationPlace } from '../conversation/history-contract'
import { isPlatformName, platformEntry } from '../contracts/platforms'
import type { Session } from '../conversation/session'
import type { ChannelName } from '../contracts/words'
import { badRequest, conflict } from '../errors'
import type { SessionDirectory } from '../conversation/session-directory'

export interface PushTargetParts {
  sessions: Pick<SessionDirectory, 'resolve'>
  placesOf(target: ConversationKey): Promise<ConversationPlace[]>
  /** The channels of a bot that are set and not turned off. */
  channelsOf(botUuid: string): Promise<string[]>
}

/** The session that a push goes to: where the person or group is known, else on the bot's channel that can reach them. */
export function createPushTarget({ sessions, placesOf, channelsOf }: PushTargetParts) {
  return async (caller: Caller, target: ConversationKey, wanted: ChannelName | undefined): Promise<Session> => {
    // Of a bot that the caller may not see nothing is read; resolving it answers that it is absent.
    if (!maySeeBot(caller, target.botUuid)) return sessions.resolve(caller, target)
    const places = (await placesOf(target)).filter(({ channel }) => wanted === undefined || channel === wanted)
    const known = places.find(({ channel, heard }) => channel !== 'web' || heard)
    const open = ({ sessionKey }: ConversationPlace) =>
      sessions.resolve(caller, { sessionKey, botUuid: target.botUuid })
    if (known) return open(known)
    const reaching = (await channelsOf(target.botUuid)).filter((name) => reaches(name, target))
    // A page may be open although nothing was said there; a platform that reaches the person is better.
    if (places[0] && reaching.length === 0) return open(places[0])
    const channel = wanted === undefined ? only(reaching, target) : allowed(wanted, reaching)
    return sessions.resolve(caller, { ...target, channel })
  }
}

function reaches(channel: string, { launcherType, launcherId }: ConversationKey): boolean {
  return isPlatformName(channel) && platformEntry(channel).reaches(launcherType, launcherId)
}

/** The page always takes a message that is meant for it. */
function allowed(wanted: ChannelName, reaching: readonly string[]): ChannelName {
  if (wanted === 'web' || reaching.includes(wanted)) return wanted
  throw conflict(
    'channel_cannot_reach',
    `the bot has no channel ${wanted} that reaches this target`,
    'Set the channel, or check target_type and target_id.',
  )
}

function only(reaching: readonly string[], { launcherType, launcherId }: ConversationKey): ChannelName {
  const [first, ...more] = reaching.filter(isPlatformName)
  if (first === undefined) {
    throw conflict(
      'target_unknown',
      `the bot has not met ${launcherType} ${launcherId} and has no channel that reaches them`,
      'Set a channel of the bot, or say "channel": "web" if they will read it on the page.',
    )
  }
  if (more.length === 0) return first
  const names = [first, ...more].join(', ')
  throw badRequest('channel_needed', `the bot has several channels: ${names}`, `Say "channel": one of ${names}.`)
}

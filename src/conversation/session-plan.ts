import type { Caller } from '../contracts/caller'
import type { NewSession } from './session'
import { CHANNELS } from '../contracts/words'
import type { ChannelName } from '../contracts/words'
import { badRequest, conflict, notFound } from '../errors'
import type { SessionAddress } from './session'
import { derivedKey, isReservedKey, readDerivedKey } from '../contracts/session-key'
import type { SessionPlace } from '../contracts/session-key'
import { otherKeysOf, sharedOf, UNIFIED_KEY } from './shared-session'

export interface SessionPlanParts {
  /** The bots a caller may use, the default one first. */
  listBots(caller: Caller): Promise<{ uuid: string; pipelineUuid: string }[]>
  defaultZone: string
  /** Whether the bot speaks through a webhook: then people who are named by their launcher id are reached there. */
  hasWebhook(botUuid: string): Promise<boolean>
  /** The id under which a chat is known here: its platform may have given it another one since. */
  knownAs(id: string, where: { botUuid: string; channel: ChannelName }): Promise<string>
  /** All web chats of a bot are one conversation. */
  unified: boolean
}

export type SessionPlan = ReturnType<typeof createSessionPlan>

/** Which session an address means, before anybody looks whether it is there. */
export function createSessionPlan({ listBots, defaultZone, hasWebhook, knownAs, unified }: SessionPlanParts) {
  async function requireBot(caller: Caller, botUuid: string | undefined): Promise<string> {
    const bots = await listBots(caller)
    const bot = botUuid === undefined ? bots[0] : bots.find(({ uuid }) => uuid === botUuid)
    if (!bot) throw notFound(botUuid ? `bot ${botUuid}` : 'a bot that this caller may use')
    return bot.uuid
  }

  /** The caller's own session is the page's; a person named by id is where the bot meets its people. */
  async function channelOf(botUuid: string, address: SessionAddress): Promise<ChannelName> {
    return address.launcherId !== undefined && (await hasWebhook(botUuid)) ? 'webhook' : 'web'
  }

  return {
    requireBot,

    /** The session as it is to be made. Whoever names a key of the server's own form gets the place that it says. */
    async of(caller: Caller, address: SessionAddress): Promise<NewSession> {
      const key = address.sessionKey
      const place = key === undefined ? null : readPlace(key, unified)
      if (place && address.botUuid !== undefined && address.botUuid !== place.botUuid) throw ofOtherBot()
      const botUuid = await requireBot(caller, place?.botUuid ?? address.botUuid)
      const launcherType = address.launcherType ?? place?.launcherType ?? 'person'
      const named = address.launcherId ?? place?.launcherId ?? key ?? caller.id
      const channel = address.channel ?? place?.channel ?? (await channelOf(botUuid, address))
      const launcherId = channel === 'web' ? named : await knownAs(named, { botUuid, channel })
      const derived = derivedKey({ channel, botUuid, launcherType, launcherId: named })
      if (place && key !== derived) throw reserved(`"${key}" says another place than the rest of the request`)
      const sessionKey =
        launcherId === named ? (key ?? derived) : derivedKey({ channel, botUuid, launcherType, launcherId })
      return {
        sessionKey,
        botUuid,
        channel,
        launcherType,
        launcherId,
        pipelineUuid: address.pipelineUuid ?? null,
        timezone: address.timezone ?? defaultZone,
        zoneSource: address.timezone === undefined ? 'default' : (address.zoneSource ?? 'api'),
        language: address.language ?? null,
        title: null,
      }
    },

    /** Where it thinks and is read. */
    sharedOf: (session: NewSession): NewSession => (unified ? sharedOf(session) : session),

    otherKeysOf,
  }
}

/** Null for a key that anybody may choose, and for the shared one while there is such a thing. */
function readPlace(key: string, unified: boolean): SessionPlace | null {
  if (!isReservedKey(key) || (unified && key === UNIFIED_KEY)) return null
  const place = readDerivedKey(key)
  if (!place) throw reserved(`there is no session "${key}", and nobody can choose such a key`)
  return place
}

const reserved = (why: string) =>
  badRequest(
    'reserved_session_key',
    `${why}: what begins with ${[...CHANNELS, 'unified', 'cron'].map((name) => `${name}:`).join(', ')} is the server's`,
    'Use another key, or say bot_uuid, channel, launcher_type and launcher_id instead.',
  )

const ofOtherBot = () =>
  conflict(
    'session_of_other_bot',
    'this session belongs to another bot',
    'Leave out bot_uuid or use another session_key.',
  )

import type { Automation } from '../contracts/automation'
import type { Caller } from '../contracts/caller'
import type { Session } from '../contracts/session'
import type { ChannelName } from '../contracts/words'
import { badRequest, conflict, notFound } from '../errors'
import type { SessionAddress, SessionDirectory } from '../http/front-door'
import { categoryOf } from '../scheduling/automation-category'
import type { SessionStore } from '../store/session-store'
import { isKnownZone } from '../time/zones'

const SESSION_KEY = /^[\w.:@+~%=-]{1,200}$/

interface DirectoryParts {
  sessions: SessionStore
  /** The bots a caller may use, the default one first. */
  listBots(caller: Caller): Promise<{ uuid: string; pipelineUuid: string }[]>
  knowsPipeline(uuid: string): Promise<boolean>
  defaultZone: string
  /** Whether the bot speaks through a webhook: then people who are named by their launcher id are reached there. */
  hasWebhook(botUuid: string): Promise<boolean>
  /** All web chats of a bot are one conversation. */
  unified: boolean
  /** Temporal has something to hear. */
  onDeleted(): void
}

const UNIFIED_KEY = 'unified:default'
const TITLE_CHARACTERS = 200

export function createSessionDirectory({
  sessions,
  listBots,
  knowsPipeline,
  defaultZone,
  hasWebhook,
  unified,
  onDeleted,
}: DirectoryParts): SessionDirectory {
  async function check(address: SessionAddress): Promise<void> {
    if (address.timezone !== undefined && !isKnownZone(address.timezone)) {
      throw badRequest(
        'bad_timezone',
        `"${address.timezone}" is no time zone`,
        'Use an IANA name such as Asia/Shanghai.',
      )
    }
    if (address.pipelineUuid !== undefined && !(await knowsPipeline(address.pipelineUuid))) {
      throw badRequest(
        'unknown_pipeline',
        `there is no pipeline "${address.pipelineUuid}"`,
        'See GET /api/v1/pipelines.',
      )
    }
    if (address.sessionKey !== undefined && !SESSION_KEY.test(address.sessionKey)) {
      throw badRequest('bad_session_key', 'the session key has other characters than letters, digits and .:@+~%=_-')
    }
  }

  async function create(caller: Caller, address: SessionAddress): Promise<Session> {
    const bots = await listBots(caller)
    const bot = address.botUuid === undefined ? bots[0] : bots.find(({ uuid }) => uuid === address.botUuid)
    if (!bot) throw notFound(address.botUuid ? `bot ${address.botUuid}` : 'a bot that this caller may use')
    const launcherType = address.launcherType ?? 'person'
    const launcherId = address.launcherId ?? address.sessionKey ?? caller.id
    const channel = address.channel ?? (await channelOf(bot.uuid, address))
    const derived = `${channel}:${bot.uuid}:${launcherType}:${encodeURIComponent(launcherId)}`
    return sessions.findOrCreate({
      sessionKey: address.sessionKey ?? derived,
      botUuid: bot.uuid,
      channel,
      launcherType,
      launcherId,
      pipelineUuid: address.pipelineUuid ?? null,
      timezone: address.timezone ?? defaultZone,
      language: address.language ?? null,
      title: null,
    })
  }

  /** The caller's own session is the page's; a person named by id is where the bot meets its people. */
  async function channelOf(botUuid: string, address: SessionAddress): Promise<ChannelName> {
    return address.launcherId !== undefined && (await hasWebhook(botUuid)) ? 'webhook' : 'web'
  }

  /** In unified mode a web chat thinks, and is read, in the session that all of them share. */
  async function shared(session: Session): Promise<Session> {
    const isThread =
      session.channel === 'web' && session.launcherType === 'person' && !/^(unified|cron):/.test(session.sessionKey)
    if (!unified || !isThread) return session
    const { sessionKey: _thread, ...rest } = session
    const made = await sessions.findOrCreate({ ...rest, sessionKey: UNIFIED_KEY, launcherId: UNIFIED_KEY, title: null })
    if (made.botUuid === session.botUuid) return made
    const key = `unified:${session.botUuid}`
    return sessions.findOrCreate({ ...rest, sessionKey: key, launcherId: key, title: null })
  }

  async function openThread(caller: Caller, sessionKey: string): Promise<Session> {
    const session = await sessions.find(sessionKey)
    if (!session || !maySee(caller, session)) throw notFound(`session ${sessionKey}`)
    return session
  }

  /** What a request says of zone, language and pipeline holds from now on. */
  async function applyChange(session: Session, address: SessionAddress): Promise<Session> {
    const { timezone, language, pipelineUuid } = address
    const changes =
      (timezone !== undefined && timezone !== session.timezone) ||
      (language !== undefined && language !== session.language) ||
      (pipelineUuid !== undefined && pipelineUuid !== session.pipelineUuid)
    if (!changes) return session
    return (await sessions.update(session.sessionKey, { timezone, language, pipelineUuid })) ?? session
  }

  return {
    async resolve(caller, address) {
      await check(address)
      const known = address.sessionKey === undefined ? null : await sessions.find(address.sessionKey)
      const session = known ?? (await create(caller, address))
      if (!maySee(caller, session)) throw notFound(`session ${session.sessionKey}`)
      if (address.botUuid !== undefined && address.botUuid !== session.botUuid) {
        throw conflict(
          'session_of_other_bot',
          'this session belongs to another bot',
          'Leave out bot_uuid or use another session_key.',
        )
      }
      return applyChange(await shared(session), address)
    },

    open: async (caller, sessionKey) => shared(await openThread(caller, sessionKey)),

    async rename(caller, sessionKey, title) {
      await openThread(caller, sessionKey)
      const renamed = await sessions.rename(sessionKey, title.trim().slice(0, TITLE_CHARACTERS) || null)
      if (!renamed) throw notFound(`session ${sessionKey}`)
      return renamed
    },

    async delete(caller, sessionKey, { deleteAutomations }) {
      await openThread(caller, sessionKey)
      const blocks = (automation: Automation) => categoryOf(automation) === 'bound'
      const outcome = await sessions.delete(sessionKey, { deleteAutomations, blocks })
      if (outcome.deleted) onDeleted()
      return outcome
    },

    list: (caller, { limit, botUuid }) => sessions.list({ bots: caller.bots, botUuid, limit }),
  }
}

function maySee(caller: Caller, session: Session): boolean {
  return caller.bots === 'all' || caller.bots.includes(session.botUuid)
}

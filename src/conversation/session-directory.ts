import type { Automation } from '../automations/contract'
import { maySeeBot } from '../contracts/caller'
import type { Caller } from '../contracts/caller'
import type { NewSession, SeenSession, Session, SessionAddress } from './session'
import { badRequest, forbidden, notFound } from '../errors'
import { isReservedKey } from '../contracts/session-key'
import type { SessionStore } from './sql/session-store'
import { isKnownZone } from '../time'
import { createSessionPlan } from './session-plan'
import type { SessionPlanParts } from './session-plan'

const SESSION_KEY = /^[\w.:@+~%='()!*-]+$/
const CHOSEN_CHARACTERS = 200
const TITLE_CHARACTERS = 200

/** The sessions a caller may see; one of another bot is as good as absent. */
export interface SessionDirectory {
  /** Finds or opens the session. Throws `not_found`, `bad_timezone`, `unknown_pipeline`, `reserved_session_key`. */
  resolve(caller: Caller, address: SessionAddress): Promise<Session>
  /** The session as it is, or as it would be made; writes nothing. Throws what `resolve` throws. */
  look(caller: Caller, address: SessionAddress): Promise<SeenSession>
  /** The session of that key, or throws `not_found`; writes nothing. */
  open(caller: Caller, sessionKey: string): Promise<Session>
  /** What the caller means by a key and a bot, a web thread itself in unified mode too; null when there is no such session. */
  find(caller: Caller, address: Pick<SessionAddress, 'sessionKey' | 'botUuid'>): Promise<Session | null>
  list(caller: Caller, page: { limit: number; botUuid?: string }): Promise<Session[]>
  rename(caller: Caller, sessionKey: string, title: string): Promise<Session>
  /** Deletes the session with all that was said and promised in it, unless automations are in the way. */
  delete(
    caller: Caller,
    sessionKey: string,
    how: { deleteAutomations: boolean },
  ): Promise<{ deleted: true } | { deleted: false; automations: Automation[] }>
}

interface DirectoryParts extends SessionPlanParts {
  sessions: SessionStore
  knowsPipeline(uuid: string): Promise<boolean>
  /** Whether a pipeline offers nothing that the bot's own does not. */
  isWithinBots(pipelineUuid: string, botUuid: string): Promise<boolean>
  /** Temporal has something to hear. */
  onDeleted(): void
  /** What this machine still has of these sessions outside the database. */
  forgetFiles(sessionKeys: readonly string[]): Promise<void>
}

/**
 * The one place where an address becomes a session. Bot and key together name it: a key leads a caller only to sessions
 * of bots that the caller may use.
 */
export function createSessionDirectory({
  sessions,
  knowsPipeline,
  isWithinBots,
  onDeleted,
  forgetFiles,
  ...planParts
}: DirectoryParts): SessionDirectory {
  const plan = createSessionPlan(planParts)

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
  }

  async function find(caller: Caller, { sessionKey, botUuid }: SessionAddress): Promise<Session | null> {
    if (sessionKey === undefined) return null
    if (botUuid === undefined) return sessions.findNamed(sessionKey, caller.bots)
    const known = maySeeBot(caller, botUuid) ? await sessions.findNamed(sessionKey, [botUuid]) : null
    // A bot that has the session is there.
    if (!known) await plan.requireBot(caller, botUuid)
    return known
  }

  async function planNew(caller: Caller, address: SessionAddress): Promise<NewSession> {
    if (address.sessionKey !== undefined) requireChoosable(address.sessionKey)
    return plan.of(caller, address)
  }

  /** The session of that bot which is kept under this key, or where it is kept instead. */
  async function findPlanned(session: NewSession): Promise<Session | null> {
    for (const key of [session.sessionKey, ...plan.otherKeysOf(session)]) {
      const found = await sessions.findNamed(key, [session.botUuid])
      if (found) return found
    }
    return null
  }

  async function openThread(caller: Caller, sessionKey: string): Promise<Session> {
    const session = await find(caller, { sessionKey })
    if (!session) throw notFound(`session ${sessionKey}`)
    return session
  }

  const openPlanned = (session: NewSession) => sessions.findOrCreate(session, ...plan.otherKeysOf(session))

  /** A caller that is no administrator cannot lift what the bot's own pipeline leaves out by naming another. */
  async function requireWithin(caller: Caller, botUuid: string, { pipelineUuid }: SessionAddress): Promise<void> {
    if (pipelineUuid === undefined || caller.scopes.includes('admin')) return
    if (await isWithinBots(pipelineUuid, botUuid)) return
    throw forbidden(
      'pipeline_not_allowed',
      `the pipeline "${pipelineUuid}" offers more than the one of this bot`,
      'Leave pipeline_uuid out, or let an administrator change the bot.',
    )
  }

  /** What a request says of zone, language and pipeline holds from now on. */
  async function applyChange(session: Session, address: SessionAddress): Promise<Session> {
    const { timezone, zoneSource, language, pipelineUuid } = address
    const changes =
      (timezone !== undefined && timezone !== session.timezone) ||
      (language !== undefined && language !== session.language) ||
      (pipelineUuid !== undefined && pipelineUuid !== session.pipelineUuid)
    if (!changes) return session
    return (await sessions.update(session.sessionKey, { timezone, zoneSource, language, pipelineUuid })) ?? session
  }

  return {
    async resolve(caller, address) {
      await check(address)
      const known = await find(caller, address)
      const planned = known ?? (await planNew(caller, address))
      await requireWithin(caller, planned.botUuid, address)
      const thread = known ?? (await openPlanned(planned))
      const shared = plan.sharedOf(thread)
      return applyChange(shared === thread ? thread : await openPlanned(shared), address)
    },

    async look(caller, address) {
      await check(address)
      const thread = (await find(caller, address)) ?? (await planNew(caller, address))
      const wanted = plan.sharedOf(thread)
      const known = await findPlanned(wanted)
      const seen = known ?? wanted
      return { ...seen, timezone: address.timezone ?? seen.timezone, isStored: known !== null }
    },

    async open(caller, sessionKey) {
      const thread = await openThread(caller, sessionKey)
      const shared = plan.sharedOf(thread)
      return shared === thread ? thread : ((await findPlanned(shared)) ?? thread)
    },

    find,

    async rename(caller, sessionKey, title) {
      const thread = await openThread(caller, sessionKey)
      const renamed = await sessions.rename(thread.sessionKey, title.trim().slice(0, TITLE_CHARACTERS) || null)
      if (!renamed) throw notFound(`session ${sessionKey}`)
      return renamed
    },

    async delete(caller, sessionKey, { deleteAutomations }) {
      const thread = await openThread(caller, sessionKey)
      const outcome = await sessions.delete(thread.sessionKey, { deleteAutomations })
      if (outcome.deleted) {
        onDeleted()
        await forgetFiles([thread.sessionKey])
      }
      return outcome
    },

    list: (caller, { limit, botUuid }) => sessions.list({ bots: caller.bots, botUuid, limit }),
  }
}

/** A chosen key is short enough to be kept with any bot's name before it. */
function requireChoosable(key: string): void {
  if (!SESSION_KEY.test(key)) {
    throw badRequest('bad_session_key', "the session key has other characters than letters, digits and .:@+~%=_-'()!*")
  }
  if (!isReservedKey(key) && key.length > CHOSEN_CHARACTERS) {
    throw badRequest('bad_session_key', `the session key has more than ${CHOSEN_CHARACTERS} characters`)
  }
}

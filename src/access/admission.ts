import { say } from '../contracts/language'
import { isPlatformName, platformEntry } from '../contracts/platforms'
import type { Session } from '../conversation/session'
import type { Language } from '../contracts/words'
import { AppError } from '../errors'
import type { Allowance, UsageStore } from './usage-store'

/** Why a person's message is not worked on now. */
export interface TurnRefusal {
  code: 'not_listed' | 'too_many_turns' | 'budget_exhausted'
  /** Until when; null: until an administrator changes it. */
  until: Date | null
  text: string
}

export interface Speaker {
  senderId: string
  language: Language
  /** They were let in by their platform alone, not by a key of ours. */
  viaChannel: boolean
}

export interface Admission {
  /** Null when the message may be worked on. Counts it among the turns of the person's minute. */
  refuse(session: Session, speaker: Speaker): Promise<TurnRefusal | null>
  /** Whether a person whom the bot does not list speaks on a public platform. */
  isStranger(session: Session, senderId: string): Promise<boolean>
}

/** Who speaks, for limits and the ledger of costs. */
export const personOf = ({ channel }: Pick<Session, 'channel'>, senderId: string): string => `${channel}:${senderId}`

/** Decides before a turn whether it may cost anything: people, their pace, and budgets of tokens. */
export function createAdmission(parts: { usage: UsageStore; turnsPerMinute: number }): Admission {
  const { usage, turnsPerMinute } = parts
  return {
    async refuse(session, { senderId, language, viaChannel }) {
      const person = personOf(session, senderId)
      const [allowance, waitSeconds] = await Promise.all([
        usage.allowanceOf(session.botUuid, person),
        usage.takeTurn(session.botUuid, person, turnsPerMinute),
      ])
      if (!allowance) return null
      if (viaChannel && allowance.allow === 'listed' && !isListed(allowance, person, senderId)) {
        return { code: 'not_listed', until: null, text: TEXTS.not_listed[language] }
      }
      if (waitSeconds !== null) {
        const until = new Date(Date.now() + waitSeconds * 1_000)
        return { code: 'too_many_turns', until, text: TEXTS.too_many_turns[language] }
      }
      if ((allowance.left ?? 1) > 0 && (allowance.leftOfPerson ?? 1) > 0) return null
      return { code: 'budget_exhausted', until: allowance.resetsAt, text: budgetText(allowance.resetsAt, language) }
    },

    async isStranger(session, senderId) {
      if (!isPlatformName(session.channel) || !platformEntry(session.channel).isPublic) return false
      const person = personOf(session, senderId)
      const allowance = await usage.allowanceOf(session.botUuid, person)
      return allowance !== null && !isListed(allowance, person, senderId)
    },
  }
}

const isListed = ({ people }: Allowance, person: string, senderId: string) =>
  people.includes(person) || people.includes(senderId)

const TEXTS = {
  not_listed: {
    zh: '抱歉，我只为受邀的人服务。请联系管理员把你加入名单。',
    en: 'Sorry, I only serve people who were invited. Ask the administrator to add you.',
  },
  too_many_turns: {
    zh: '消息太多了，请过一会儿再说。',
    en: 'That was a lot of messages. Please wait a moment and say it again.',
  },
} as const

/** What a person reads when the tokens of the day are used up. */
export function budgetText(resetsAt: Date, language: Language): string {
  const at = `${resetsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return say(language, {
    zh: `今天的用量已经用完，${at} 之后可以继续。已经定好的提醒会照常送达。`,
    en: `Today's usage is used up; I can go on after ${at}. Reminders that are set will arrive as promised.`,
  })
}

/** The same refusal for who asked over HTTP. */
export function toError({ code, until, text }: TurnRefusal): AppError {
  if (until === null) return new AppError(code, text, { status: 403 })
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000))
  const headers = { 'retry-after': String(seconds) }
  return new AppError(code, text, { status: 429, headers, details: { resets_at: until.toISOString() } })
}

import { say } from '../contracts/language'
import { describeLateness } from '../contracts/lateness'
import type { Language } from '../contracts/words'

type Text = Record<Language, (name: string) => string>

/** What the person reads when a run ends without an answer; the cause stands in the run's record. */
const FAILED: Text = {
  zh: (name) => `自动任务「${name}」这次没有完成，原因已记录。`,
  en: (name) => `The automation "${name}" could not be completed this time; the cause is recorded.`,
}
const EMPTY: Text = {
  zh: (name) => `自动任务「${name}」已运行，这次没有内容。`,
  en: (name) => `The automation "${name}" ran and had nothing to say this time.`,
}
const CANCELLED: Text = {
  zh: (name) => `自动任务「${name}」这次被中止了。`,
  en: (name) => `The automation "${name}" was stopped this time.`,
}
const TRIGGERED: Text = {
  zh: (name) => `自动任务已触发：${name}`,
  en: (name) => `Scheduled automation triggered: ${name}`,
}

export const describeFailedRun = (name: string, language: Language) => FAILED[language](name)
export const describeEmptyRun = (name: string, language: Language) => EMPTY[language](name)
export const describeCancelledRun = (name: string, language: Language) => CANCELLED[language](name)
/** What the person reads when an operator has changed the schedule in Temporal. */
const BY_OPERATOR: Record<'paused' | 'active' | 'deleted', Text> = {
  paused: {
    zh: (name) => `管理员暂停了自动任务「${name}」。需要时请重新启用。`,
    en: (name) => `An operator has paused the automation "${name}". Enable it again when you need it.`,
  },
  active: {
    zh: (name) => `管理员恢复了自动任务「${name}」。`,
    en: (name) => `An operator has resumed the automation "${name}".`,
  },
  deleted: {
    zh: (name) => `管理员删除了自动任务「${name}」，它不会再运行。`,
    en: (name) => `An operator has deleted the automation "${name}"; it will not run again.`,
  },
}

export const describeOperatorChange = (change: keyof typeof BY_OPERATOR, name: string, language: Language) =>
  BY_OPERATOR[change][language](name)

const AUTO_PAUSED: Record<Language, (name: string, failures: number) => string> = {
  zh: (name, failures) => `自动任务「${name}」连续失败 ${failures} 次，已暂停。需要时请重新启用。`,
  en: (name, failures) =>
    `The automation "${name}" failed ${failures} times in a row and is paused. Enable it again when it is mended.`,
}
export const describeAutoPause = (name: string, failures: number, language: Language) =>
  AUTO_PAUSED[language](name, failures)

/** Slots that nobody ran, by the clock of the automation's own zone. */
export interface MissedSlots {
  count: number
  first: Date
  last: Date
  timezone: string
}

export function describeMissed(name: string, { count, first, last, timezone }: MissedSlots, language: Language) {
  const from = wallClock(first, timezone)
  const to = wallClock(last, timezone)
  const isOne = count === 1
  const when = say(language, {
    zh: isOne ? from : `${from} 至 ${to}`,
    en: isOne ? `on ${from}` : `between ${from} and ${to}`,
  })
  return say(language, {
    zh: `自动任务「${name}」错过了 ${count} 次（${when}，${timezone}）：那段时间服务没有运行。`,
    en: `The automation "${name}" missed ${isOne ? 'one run' : `${count} runs`} ${when} (${timezone}): the service was not running then.`,
  })
}

export interface Lateness {
  slot: Date
  lateByMs: number
  timezone: string
}

function lateLine({ slot, lateByMs, timezone }: Lateness, language: Language): string {
  const late = describeLateness(lateByMs, language)
  if (late === undefined) return ''
  const due = `${wallClock(slot, timezone)} ${timezone}`
  return `\n\n${say(language, { zh: `（原定 ${due}，${late}）`, en: `(Due ${due}, ${late}.)` })}`
}

/** `YYYY-MM-DD HH:mm` where the automation lives. */
function wallClock(instant: Date, timeZone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone }).format(instant)
}

export const describeTrigger = (name: string, message: string, lateness: Lateness, language: Language) =>
  `${TRIGGERED[language](name)}\n\n${message}${lateLine(lateness, language)}`

import cronstrue from 'cronstrue/i18n'
import { DateTime } from 'luxon'
import type { Recurrence } from './contract'
import type { RuleRecurrence } from './rule/next-rule-runs'
import { ruleOf } from './rule/next-rule-runs'
import type { RepeatRule } from './rule/repeat-rule'
import { describeRuleInEnglish } from './words/describe-rule-en'
import { describeRuleInChinese } from './words/describe-rule-zh'
import { ruleOfCron } from './words/rule-of-cron'

type Language = 'zh' | 'en'

/** The reading, said back to the person. */
export function describeRecurrence(recurrence: Recurrence, language: Language): string {
  if (recurrence.kind === 'at') return describeOnce(recurrence.at, recurrence.timezone, language)
  if (recurrence.kind === 'rrule')
    return describeRule(ruleOf(recurrence).rule, language) ?? describeText(recurrence, language)
  const words =
    recurrence.kind === 'every'
      ? describeInterval(recurrence.seconds, language)
      : describeCrons(recurrence.expressions, language)
  if (recurrence.from === undefined) return words
  const zone = recurrence.kind === 'cron' ? recurrence.timezone : 'utc'
  const from = DateTime.fromISO(recurrence.from, { zone }).setLocale('en')
  return language === 'zh'
    ? `${words},${from.toFormat('yyyy年M月d日')}起`
    : `${words}, from ${from.toFormat('d LLL yyyy')}`
}

const describeRule = (rule: RepeatRule, language: Language): string | undefined =>
  language === 'zh' ? describeRuleInChinese(rule) : describeRuleInEnglish(rule)

/** A rule for which nobody has words is shown as it is written. */
const describeText = ({ rule }: RuleRecurrence, language: Language): string =>
  language === 'zh' ? `按规则 ${rule}` : `By the rule ${rule}`

function describeCrons(expressions: string[], language: Language): string {
  const said = expressions.map((expression) => describeCron(expression, language))
  if (language === 'zh') return said.join(';')
  return said.map((words, index) => (index === 0 ? words : words.charAt(0).toLowerCase() + words.slice(1))).join('; ')
}

/** Cronstrue speaks of what is no list of clocks: every five minutes, each hour of a span. */
function describeCron(expression: string, language: Language): string {
  const words = describeRule(ruleOfCron(expression), language)
  if (words) return words
  const daily = expression.endsWith(' * * *')
  // Cronstrue leaves "every day" out unless it is asked to say everything.
  const options = { verbose: daily && !/^\S+ [*]/.test(expression), use24HourTimeFormat: true }
  if (language === 'zh') return tidy(cronstrue.toString(expression, { ...options, locale: 'zh_CN' }))
  return cronstrue.toString(expression, { ...options, locale: 'en' })
}

const tidy = (words: string): string => words.replace(/, /g, ',').replace(/ {2,}/g, ' ')

interface UnitName {
  seconds: number
  zh: string
  en: string
}
const UNITS: UnitName[] = [
  { seconds: 86_400, zh: '天', en: 'day' },
  { seconds: 3600, zh: '小时', en: 'hour' },
  { seconds: 60, zh: '分钟', en: 'minute' },
  { seconds: 1, zh: '秒', en: 'second' },
]
const WEEK: UnitName = { seconds: 7 * 86_400, zh: '周', en: 'week' }
const HOUR: UnitName = { seconds: 3600, zh: '小时', en: 'hour' }

/** One day of elapsed time is said as 24 hours, because "every day" would promise a clock. */
function describeInterval(seconds: number, language: Language): string {
  const whole = seconds % WEEK.seconds === 0 ? WEEK : seconds === 86_400 ? HOUR : undefined
  const units = whole ? [whole] : UNITS
  let rest = seconds
  const parts = units.flatMap((unit) => {
    const amount = Math.floor(rest / unit.seconds)
    rest -= amount * unit.seconds
    return amount === 0 ? [] : [amountOf(amount, unit, amount * unit.seconds === seconds, language)]
  })
  return language === 'zh' ? `每${parts.join('')}` : `Every ${parts.join(' ')}`
}

function amountOf(amount: number, unit: UnitName, alone: boolean, language: Language): string {
  if (amount === 1 && alone) return unit[language]
  return language === 'zh' ? ` ${amount} ${unit.zh}` : `${amount} ${unit.en}${amount === 1 ? '' : 's'}`
}

function describeOnce(at: string, zone: string, language: Language): string {
  const local = DateTime.fromISO(at, { zone }).setLocale(language === 'zh' ? 'zh-CN' : 'en')
  const clock = local.second === 0 ? 'HH:mm' : 'HH:mm:ss'
  if (language === 'zh') return `一次,${local.toFormat(`yyyy年M月d日 ccc ${clock}`)}`
  return `Once, on ${local.toFormat(`ccc d LLL yyyy`)} at ${local.toFormat(clock)}`
}

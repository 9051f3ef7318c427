import type { Language } from '../../../contracts/words'
import { isClockAlone } from './time-spans'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * "改到10点" means ten o'clock on the day the reminder was set for, in the same half of that day. It is said to the tool
 * as a date and a clock; nothing is computed here. Undefined when the time names its own day.
 */
export function onTheSameDay(time: string, sendAt: string, language: Language): string | undefined {
  const old = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)/.exec(sendAt)
  if (!old || !isClockAlone(time, language)) return undefined
  const [, , month, day, hour] = old.map(Number)
  if (month === undefined || day === undefined || hour === undefined) return undefined
  if (language === 'zh') return `${month}月${day}日${chineseHalf(time, hour)}${time}`
  return `${MONTHS[month - 1]} ${day} at ${time}`
}

/** Only the small hours follow the old half of the day: "4点" for a 3 pm reminder, "9点" for one at 8 pm. */
function chineseHalf(time: string, oldHour: number): string {
  const hour = /^([0-9]{1,2}|[一二两三四五六七八九十]{1,2})(?:点|:)/.exec(time)?.[1]
  if (hour === undefined) return ''
  const said = '一二三四五六七八九十'.indexOf(hour.replace('两', '二')) + 1 || Number(hour)
  if (oldHour >= 12 && said >= 1 && said <= 6) return '下午'
  return oldHour >= 18 && said >= 7 && said <= 11 ? '晚上' : ''
}

import { DateTime } from 'luxon'

export interface TimeDescription {
  /** ISO with the offset, in the zone. */
  local: string
  /** Short and for a person: "in 19 min", "明天 09:00 (13 小时后)". */
  phrase: string
}

/** Says an instant back to the person who asked for it. */
export function describeTime(instant: Date, now: Date, zone: string, language: 'zh' | 'en'): TimeDescription {
  const then = DateTime.fromJSDate(instant, { zone })
  const local = then.toISO({ suppressMilliseconds: true }) ?? ''
  const minutes = Math.round((instant.getTime() - now.getTime()) / 60_000)
  const distance = distanceOf(instant.getTime() - now.getTime(), language)
  if (Math.abs(minutes) < 180) return { local, phrase: distance }
  return { local, phrase: `${dayAndClock(then, DateTime.fromJSDate(now, { zone }), language)} (${distance})` }
}

function distanceOf(ms: number, language: 'zh' | 'en'): string {
  const length = lengthOf(Math.abs(ms), language)
  if (length === '') return language === 'zh' ? '现在' : 'now'
  if (language === 'zh') return ms < 0 ? `${length}前` : `${length}后`
  return ms < 0 ? `${length} ago` : `in ${length}`
}

const WORDS = {
  en: { second: ' s', minute: ' min', hour: ' h', day: ' d', joint: ' ' },
  zh: { second: ' 秒', minute: ' 分钟', hour: ' 小时', day: ' 天', joint: ' ' },
} as const

/** Two parts at most, rounded to what still matters at that distance. */
function lengthOf(ms: number, language: 'zh' | 'en'): string {
  const words = WORDS[language]
  const seconds = Math.round(ms / 1000)
  if (seconds === 0) return ''
  if (seconds < 120 && seconds % 60 !== 0) return `${seconds}${words.second}`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes}${words.minute}`
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours < 12) return `${hours}${words.hour}${rest > 0 ? `${words.joint}${rest}${words.minute}` : ''}`
  const roundHours = Math.round(minutes / 60)
  return roundHours < 48 ? `${roundHours}${words.hour}` : `${Math.round(minutes / 1440)}${words.day}`
}

function dayAndClock(then: DateTime, now: DateTime, language: 'zh' | 'en'): string {
  const days = Math.round(
    then
      .startOf('day')
      .setZone('utc', { keepLocalTime: true })
      .diff(now.startOf('day').setZone('utc', { keepLocalTime: true }), 'days').days,
  )
  return `${dayName(then, now, days, language)} ${then.toFormat('HH:mm')}`
}

function dayName(then: DateTime, now: DateTime, days: number, language: 'zh' | 'en'): string {
  const near = (language === 'zh' ? ['今天', '明天', '后天'] : ['today', 'tomorrow'])[days]
  if (near) return near
  const sameYear = then.year === now.year
  if (language === 'zh') return then.setLocale('zh-CN').toFormat(sameYear ? 'M月d日 ccc' : 'yyyy年M月d日 ccc')
  return then.setLocale('en').toFormat(sameYear ? 'ccc d LLL' : 'ccc d LLL yyyy')
}

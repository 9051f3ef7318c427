import type { RecurrenceRefusal, RecurrenceRefusalCode } from './contract'
import type { CronFault } from './cron/read-cron'
import type { RruleFault } from './rule/read-rrule'

type Hints = Record<RecurrenceRefusalCode, string>

const ENGLISH: Hints = {
  none_given:
    'Say when: one of cron_expr, rrule, every_seconds, at or repeat, for example repeat "every weekday at 9am".',
  several_given: 'Give only one of cron_expr, rrule, every_seconds, at and repeat.',
  not_understood:
    'This is not a time I can repeat. Say it plainly, for example "every day at 8am", "every Mon, Wed and Fri at 3pm" or "every 30 minutes", or give cron_expr or an RRULE.',
  ambiguous:
    'This can be read in more than one way. Add what is missing: the day, am or pm, or the unit; or give cron_expr or an RRULE. Two days with two times are two automations.',
  unsupported:
    'This cannot be kept exactly. Name the days with a clock ("every Mon and Thu at 9am", "the last Friday of the month at 5pm") or an interval ("every 2 days"), or give cron_expr ("0 9-17 * * 1-5") or an RRULE ("FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0").',
  range:
    'This is a span. Name the clocks at which it should run ("every day at 9am, 1pm and 5pm") or an interval within it ("every hour from 9am to 5pm", as cron_expr "0 9-17 * * *" or an RRULE with BYHOUR); an end belongs into ends_at.',
  too_often: 'Once a minute is the most often it can run: 60 seconds or more.',
  invalid_interval: 'every_seconds must be a whole number from 60 to 31622400 (one year).',
  invalid_cron: 'A cron expression has five fields: minute, hour, day of the month, month, weekday; "0 9 * * 1-5".',
  invalid_rrule:
    'This is not a recurrence rule of RFC 5545. For example: RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=9;BYMINUTE=0.',
  invalid_clock: 'There is no such time of day. Hours go from 0 to 24 and minutes from 0 to 59.',
  invalid_date: 'There is no such day in the calendar. Check the day and the month.',
  bad_timezone: 'The time zone is not known. Give an IANA name such as Asia/Shanghai or America/New_York.',
  past: 'That time has already passed. Give one that is still ahead.',
  never: 'No day in the calendar fits, so it would never run.',
  too_far: 'That is too far ahead.',
  too_long: 'The text is too long for a time. Give only the time, in at most 200 characters.',
}

const CHINESE: Hints = {
  none_given: '请说明什么时候运行:cron_expr、rrule、every_seconds、at、repeat 五选一,例如 repeat“每个工作日早上9点”。',
  several_given: 'cron_expr、rrule、every_seconds、at、repeat 只能给一个。',
  not_understood:
    '没能看懂这个重复时间。请换个说法,例如“每天早上8点”、“每周一三五下午三点”或“每30分钟”,也可以给 cron_expr 或 RRULE。',
  ambiguous:
    '这个说法有不止一种理解。请补充是哪一天、上午还是下午,或时间单位,也可以给 cron_expr 或 RRULE。不同日子不同钟点请分成两个任务。',
  unsupported:
    '这个规律没法准确执行。请说出日子加钟点(“每周一和周四9点”、“每月最后一个周五17点”)或间隔(“每2天”),也可以写 cron_expr(“0 9-17 * * 1-5”)或 RRULE(“FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0”)。',
  range:
    '这是一段时间。请说出具体的几个钟点(“每天9点、13点和17点”),或其中的间隔(“每天9点到17点每小时”,即 cron_expr“0 9-17 * * *”,或带 BYHOUR 的 RRULE);结束时间请写进 ends_at。',
  too_often: '最多每分钟运行一次,间隔不能小于60秒。',
  invalid_interval: 'every_seconds 必须是 60 到 31622400(一年)之间的整数。',
  invalid_cron: 'cron 表达式要有五段:分 时 日 月 星期,例如“0 9 * * 1-5”。',
  invalid_rrule: '不是 RFC 5545 的重复规则。例如 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=9;BYMINUTE=0。',
  invalid_clock: '没有这样的钟点。小时是0到24,分钟是0到59。',
  invalid_date: '日历上没有这一天,请检查月份和日期。',
  bad_timezone: '不认识这个时区。请用 IANA 名称,例如 Asia/Shanghai 或 America/New_York。',
  past: '这个时间已经过去了,请给一个还没到的时间。',
  never: '日历上没有符合的日子,永远不会运行。',
  too_far: '这个时间太远了。',
  too_long: '文字太长,不像一个时间。请只写时间,不超过200个字。',
}

const FAULTS: Record<CronFault, { zh: string; en: string }> = {
  fields: { zh: '不是五段(不支持秒和年)。', en: 'There are not five fields (seconds and years are not supported). ' },
  macro: { zh: '不认识这个 @ 写法。', en: 'This @ name is not known. ' },
  extension: { zh: '不支持 ?、L、W、#。', en: '?, L, W and # are not supported. ' },
  minute: { zh: '“分”这一段不对(0-59)。', en: 'The minute is wrong (0-59). ' },
  hour: { zh: '“时”这一段不对(0-23)。', en: 'The hour is wrong (0-23). ' },
  day: { zh: '“日”这一段不对(1-31)。', en: 'The day of the month is wrong (1-31). ' },
  month: { zh: '“月”这一段不对(1-12)。', en: 'The month is wrong (1-12 or JAN-DEC). ' },
  weekday: { zh: '“星期”这一段不对(0-7)。', en: 'The weekday is wrong (0-7 or SUN-SAT). ' },
}

export function refusal(code: RecurrenceRefusalCode, language: 'zh' | 'en', fault?: CronFault): RecurrenceRefusal {
  const hint = (language === 'zh' ? CHINESE : ENGLISH)[code]
  return { ok: false, code, hint: fault ? FAULTS[fault][language] + hint : hint }
}

/** A refusal of a rule, naming the part that is wrong or cannot be kept. */
export function refuseRule({ code, part }: RruleFault, language: 'zh' | 'en'): RecurrenceRefusal {
  const { hint } = refusal(code, language)
  // What is said back is a word of the rule, never a long text of somebody's.
  return { ok: false, code, hint: `${part.slice(0, 40)}: ${hint}` }
}

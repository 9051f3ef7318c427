/*
 * Pieces of a Chinese time, as sources of regular expressions. They only find where a time stands in a sentence:
 * "明天早上9点" in "明天早上9点提醒我开会".
 */
const NUMBER = String.raw`(?:[0-9０-９]{1,6}(?:\.[0-9]{1,3})?|[零〇一二两三四五六七八九十百半几]{1,8})`
const UNIT = String.raw`(?:秒钟?|分钟|分|刻钟|个半小时|个小时|小时|个钟头|钟头|个钟|天|日|个?星期|个?礼拜|周|个半月|个月|年)`
const LENGTH = String.raw`(?:${NUMBER}\s*${UNIT}半?\s*[零又]?\s*)`
const DURATION = String.raw`(?:(?:再过|过|等)\s*${LENGTH}{1,4}(?:之后|以后|过后|后)?|${LENGTH}{1,4}(?:之后|以后|过后|后))`
const SOON = String.raw`(?:过一会儿?|一会儿?|待会儿?|等会儿?|晚点儿?(?!名)|晚些时候|过几天)`

const WEEK = String.raw`(?:周|星期|礼拜)`
const HOLIDAY = String.raw`(?:元旦|除夕|春节|情人节|清明节?|劳动节|端午节?|中秋节?|国庆节?|圣诞节?)`
const DATE = String.raw`(?:(?:${NUMBER}年|今年|明年)?${NUMBER}月(?:份)?(?:${NUMBER}[日号]?|初|中旬|底)?|(?:下|这|本)个?月(?:${NUMBER}[日号]|初|底)?|${NUMBER}[日号])`
const ISO_DATE = String.raw`(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:T[0-9:.]{4,12}(?:Z|[+-][0-9:]{4,6})?)?)`
const NAMED_DAY = String.raw`(?:大后天|大?前天|[今明后昨][天日]|昨晚|今晚|今早|今夜|明晚|明早|明晨|后晚|当晚|周末)(?:上(?!午))?`
const WEEKDAY = String.raw`(?:(?:下{1,2}个?|这个?|本|上{1,2}个?)${WEEK}(?:[一二三四五六日天1-7]|末)?|${WEEK}(?:[一二三四五六日天1-7]|末))`
export const CHINESE_DAY = `(?:${ISO_DATE}|${NAMED_DAY}|${WEEKDAY}|${DATE}|${HOLIDAY}|${DURATION})`

const HALF_OF_DAY = String.raw`(?:凌晨|清晨|清早|一大早|早晨|早上|上午|中午|正午|下午|午后|傍晚|黄昏|晚上|晚间|夜里|深夜|半夜|午夜|[早晚](?=${NUMBER}[点时]))`
const MINUTES = String.raw`(?:钟|整|半|过?[一三]刻|过?${NUMBER}分?(?!钟|之|个))?`
const CLOCK = String.raw`(?:${NUMBER}点${MINUTES}|[0-9０-９]{1,2}[:：][0-9０-９]{2}(?:[:：][0-9０-９]{2})?|${NUMBER}时(?:${NUMBER}分)?)(?:左右|准时)?`
export const CHINESE_CLOCK = `(?:${HALF_OF_DAY}|${CLOCK})`

const PIECE = `(?:${CHINESE_DAY}|${CHINESE_CLOCK}|${SOON})`
/** 3点前15分钟 is not three o'clock: it goes to the tool as a whole. */
const SHIFT = String.raw`(?:的?(?:之前|以前|前)(?:${LENGTH}{1,2})?)`
export const CHINESE_TIME = String.raw`${PIECE}(?:[的在\s]{0,2}${PIECE}){0,5}${SHIFT}?`

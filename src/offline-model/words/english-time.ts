/*
 * Pieces of an English time, as sources of regular expressions. They only find where a time stands in a sentence:
 * "tomorrow at 9am" in "remind me to call mum tomorrow at 9am".
 */
const SMALL = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'
const TENS = '(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?'
const NUMBER = String.raw`(?:[0-9]{1,6}(?:\.[0-9]{1,3})?|half an?|an? couple of|an? few|a|an|${TENS}|fifteen|sixteen|eighteen|sixty|ninety|${SMALL})`
const UNIT = String.raw`(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|weeks?|months?|years?)\b`
const LENGTH = String.raw`${NUMBER}\s*(?:and a half\s+)?${UNIT}(?:\s+and a half)?`
const LENGTHS = String.raw`${LENGTH}(?:(?:\s*,\s*|\s+and\s+|\s+)${LENGTH}){0,3}`
const DURATION = String.raw`(?:\b(?:in|after)\s+(?:about\s+|another\s+)?${LENGTHS}(?:\s+from now)?|\b${LENGTHS}\s+(?:from now|later)\b)`

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const NTH = '[0-9]{1,2}(?:st|nd|rd|th)?'
const DATE = String.raw`(?:${MONTH}\.?\s+(?:the\s+)?${NTH}(?:,?\s+[0-9]{4})?|(?:the\s+)?${NTH}\s+(?:of\s+)?${MONTH}(?:,?\s+[0-9]{4})?|the\s+[0-9]{1,2}(?:st|nd|rd|th)|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]{4,12}(?:Z|[+-][0-9:]{4,6})?)?)`
const WEEKDAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const NAMED_DAY = String.raw`(?:(?:the\s+)?day after tomorrow|today|yesterday|tonight|tomorrow|tmrw|(?:this|next|last|coming)\s+(?:week(?:end)?|month|year|morning|afternoon|evening|${WEEKDAY})|${WEEKDAY})`
export const ENGLISH_DAY = String.raw`(?:${DURATION}|\b${NAMED_DAY}\b|\b${DATE}\b)`

const HALF = String.raw`(?:am\b|pm\b|a\.m\.|p\.m\.)`
const EXACT = String.raw`\b(?:[0-9]{1,2}(?::[0-9]{2}){1,2}(?:\s*${HALF})?|[0-9]{1,2}\s*(?:${HALF}|o'?clock\b)|noon\b|midday\b|midnight\b|(?:half|(?:a )?quarter|five|ten|twenty)\s+(?:past|to)\s+(?:[0-9]{1,2}|${SMALL})\b)`
const BARE = String.raw`(?<=\b(?:at|by|around)\s{1,3})(?:[0-9]{1,2}|${SMALL})\b(?!\s*(?:%|${UNIT}))`
const PART = String.raw`\b(?:(?:in the\s+)?(?:morning|afternoon|evening)|at night)\b`
export const ENGLISH_CLOCK = `(?:${EXACT}|${BARE}|${PART})`

const PIECE = `(?:${ENGLISH_DAY}|${ENGLISH_CLOCK})`
const LEAD = String.raw`(?:\b(?:at|on|by|around|for)\s+)`
/** "15 minutes before 3pm tomorrow" is one time: what stands before it moves it. */
const SHIFT = String.raw`(?:\b${LENGTHS}\s+(?:before|after|past|to)\s+)`
export const ENGLISH_TIME = String.raw`${SHIFT}?${LEAD}?${PIECE}(?:\s*,?\s*${LEAD}?${PIECE}){0,4}`

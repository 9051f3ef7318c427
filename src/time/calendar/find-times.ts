import type { Clock, Draft, Period } from '../draft'

/** Seconds after the local midnight that begins the day; past 86,400 it is the small hours of the next. */
export type TimeOfDay = number

export interface Situation {
  /** No date was given, so a time in the small hours needs no day of its own. */
  undated: boolean
  /** The day is today by name or for want of another: both halves of the clock are open. */
  today: boolean
  nowSeconds: TimeOfDay
}

const HOUR = 3600

/** Where no clock is given: the hour, and a later one for when that has passed today. */
const PERIOD_HOURS: Record<Period, number[]> = {
  'night-end': [3, 5],
  dawn: [6, 7],
  morning: [9, 11],
  forenoon: [9, 11],
  noon: [12],
  afternoon: [15, 17],
  dusk: [18],
  evening: [20, 22],
  night: [22, 23.5],
}
const DATE_HOURS = [9]
const TODAY_HOURS = [9, 18]
const END_OF_DAY_HOURS = [18, 23 + 59 / 60]

export function findTimes(draft: Draft, situation: Situation): TimeOfDay[] | 'invalid_clock' {
  const { clock, period } = draft
  if (draft.sameTime) return clock || period ? 'invalid_clock' : [situation.nowSeconds]
  if (!clock) return defaultHours(draft, situation).map((hour) => Math.round(hour * HOUR))
  if (clock.minute > 59 || clock.second > 59 || clock.hour > 24) return 'invalid_clock'
  if (clock.hour === 24 && clock.minute + clock.second > 0) return 'invalid_clock'
  // A date with its year is written, not said: its clock stands as it is.
  const asWritten = draft.year === undefined ? clock : { ...clock, digital: true }
  const hours = hoursOf(asWritten, period, situation)
  if (hours === 'invalid_clock') return hours
  const within = clock.minute * 60 + clock.second + (clock.shiftMinutes ?? 0) * 60
  return hours.map((hour) => hour * HOUR + within)
}

function defaultHours({ period, endOfDay }: Draft, { today }: Situation): number[] {
  if (endOfDay) return END_OF_DAY_HOURS
  if (period) return today ? PERIOD_HOURS[period] : PERIOD_HOURS[period].slice(0, 1)
  return today ? TODAY_HOURS : DATE_HOURS
}

type Hours = number[] | 'invalid_clock'

function hoursOf(clock: Clock, period: Period | undefined, situation: Situation): Hours {
  if (clock.half) return hoursOfHalf(clock, clock.half, period, situation)
  if (period) return hoursOfPeriod(clock.hour, period, situation)
  if (clock.exact) return [isMidnightByName(clock) && situation.today && !situation.undated ? 24 : clock.hour]
  return openHours(clock, situation)
}

/** "today at midnight" is the end of today, but "today 00:01" has passed since it began. */
const isMidnightByName = ({ hour, minute, digital }: Clock): boolean => hour === 0 && minute === 0 && !digital

/** The parts of the day that an am or a pm can stand beside; "9 pm in the morning" is a slip. */
const OPEN_TO: Record<'am' | 'pm', Period[]> = {
  am: ['night-end', 'dawn', 'morning', 'forenoon', 'noon', 'evening', 'night'],
  pm: ['noon', 'afternoon', 'dusk', 'evening', 'night'],
}

/** am or pm. "15:15 pm" says the same thing twice, but "14pm" and "15 am" are slips. */
function hoursOfHalf(clock: Clock, half: 'am' | 'pm', period: Period | undefined, situation: Situation): Hours {
  const { hour } = clock
  if (hour > 12 || hour === 0) return half === 'pm' && hour > 12 && clock.minute > 0 ? [hour] : 'invalid_clock'
  const hours = (hour % 12) + (half === 'pm' ? 12 : 0)
  if (period && !OPEN_TO[half].includes(period)) return 'invalid_clock'
  if (half === 'pm' || (period !== 'evening' && period !== 'night')) return [hours]
  return hours < 6 ? smallHours(hours, situation) : 'invalid_clock'
}

/** The small hours of a night belong to the evening before: 今晚1点 is tomorrow at 01:00. */
function smallHours(hour: number, { undated, today, nowSeconds }: Situation): number[] {
  if (undated) return [hour]
  return today && nowSeconds < 5 * HOUR ? [hour, hour + 24] : [hour + 24]
}

function hoursOfPeriod(hour: number, period: Period, situation: Situation): Hours {
  switch (period) {
    case 'night-end':
    case 'dawn':
    case 'morning':
      return hour > 12 ? 'invalid_clock' : [hour % 12]
    case 'forenoon':
      return hour > 12 ? 'invalid_clock' : [hour]
    case 'noon':
      return hour >= 1 && hour <= 3 ? [hour + 12] : hour >= 10 && hour <= 15 ? [hour] : 'invalid_clock'
    case 'afternoon':
    case 'dusk':
      return hour === 0 ? 'invalid_clock' : [hour < 12 ? hour + 12 : hour]
    case 'evening':
      return hoursOfNight(hour, 5, situation)
    case 'night':
      return hoursOfNight(hour, 6, situation)
  }
}

function hoursOfNight(hour: number, firstEveningHour: number, situation: Situation): Hours {
  if (hour === 12 || hour === 24 || hour === 0) return smallHours(0, situation)
  if (hour < firstEveningHour) return smallHours(hour, situation)
  return [hour < 12 ? hour + 12 : hour]
}

/**
 * A clock with neither am nor pm nor a part of the day. Today and undated, the nearer half is meant, only that nobody
 * who is awake at three in the afternoon means two at night; on another day one to five o'clock is the afternoon.
 */
function openHours({ hour, digital }: Clock, { today, undated, nowSeconds }: Situation): number[] {
  if (!today) return [!digital && hour < 6 ? hour + 12 : hour]
  const daytime = nowSeconds >= 6 * HOUR && nowSeconds < 21 * HOUR
  if (hour === 12) return nowSeconds >= 12 * HOUR && !digital && !(undated && daytime) ? [12, 24] : [12]
  return undated && daytime && hour < 6 ? [hour + 12] : [hour, hour + 12]
}

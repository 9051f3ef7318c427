import type { Wall } from '../wall-clock'
import { wallDay } from '../wall-clock'
import { easterSunday } from './easter'
import { dayOfLunar, lunarNewYearEve } from './lunar'
import { nthWeekdayOfMonth } from './month-days'
import { solarTermDay } from './solar-terms'

type DayOfYear = (year: number) => Wall | undefined

const on =
  (month: number, day: number): DayOfYear =>
  (year) =>
    wallDay(year, month, day)
const lunar =
  (month: number, day: number): DayOfYear =>
  (year) =>
    dayOfLunar(year, month, day)
const nth =
  (month: number, count: number, weekday: number): DayOfYear =>
  (year) =>
    nthWeekdayOfMonth({ year, month, nth: count, weekday })
const easter =
  (days: number): DayOfYear =>
  (year) =>
    easterSunday(year)?.plus({ days })
const thanksgiving = nth(11, 4, 4)

const HOLIDAYS: Record<string, DayOfYear> = {
  'new-year': on(1, 1),
  groundhog: on(2, 2),
  valentine: on(2, 14),
  women: on(3, 8),
  'tree-planting': on(3, 12),
  'st-patrick': on(3, 17),
  'april-fools': on(4, 1),
  earth: on(4, 22),
  labour: on(5, 1),
  youth: on(5, 4),
  'cinco-de-mayo': on(5, 5),
  children: on(6, 1),
  juneteenth: on(6, 19),
  party: on(7, 1),
  independence: on(7, 4),
  army: on(8, 1),
  teachers: on(9, 10),
  national: on(10, 1),
  halloween: on(10, 31),
  'all-saints': on(11, 1),
  veterans: on(11, 11),
  'singles-day': on(11, 11),
  'double-twelve': on(12, 12),
  'christmas-eve': on(12, 24),
  christmas: on(12, 25),
  boxing: on(12, 26),
  'new-year-eve': on(12, 31),
  'mlk-day': nth(1, 3, 1),
  'presidents-day': nth(2, 3, 1),
  'mothers-day': nth(5, 2, 7),
  memorial: nth(5, -1, 1),
  'fathers-day': nth(6, 3, 7),
  'labor-day-us': nth(9, 1, 1),
  columbus: nth(10, 2, 1),
  thanksgiving,
  'black-friday': (year) => thanksgiving(year)?.plus({ days: 1 }),
  'cyber-monday': (year) => thanksgiving(year)?.plus({ days: 4 }),
  'good-friday': easter(-2),
  easter: easter(0),
  'easter-monday': easter(1),
  qingming: (year) => solarTermDay(year, 1),
  'spring-festival': lunar(1, 1),
  lantern: lunar(1, 15),
  'dragon-boat': lunar(5, 5),
  qixi: lunar(7, 7),
  'ghost-festival': lunar(7, 15),
  'mid-autumn': lunar(8, 15),
  'double-ninth': lunar(9, 9),
  laba: lunar(12, 8),
  'little-new-year': lunar(12, 23),
  'lunar-new-year-eve': lunarNewYearEve,
}

export function holidayIn(year: number, name: string): Wall | undefined {
  return HOLIDAYS[name]?.(year)
}

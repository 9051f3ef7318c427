import type { Resolved } from './calendar/resolve'
import type { Draft } from './draft'
import { hasDate } from './draft'

/** What a person should be told of how the text was read; nothing when there was only one way. */
export function noteFor(resolved: Resolved, language: 'zh' | 'en'): string | undefined {
  const notes = [dstNote(resolved, language), weekdayNote(resolved, language), hourNote(resolved, language)]
  const said = notes.filter((note) => note !== undefined)
  return said.length > 0 ? said.join(language === 'zh' ? ';' : '; ') : undefined
}

function dstNote({ dst, wall }: Resolved, language: 'zh' | 'en'): string | undefined {
  if (dst === 'none') return undefined
  const clock = wall.toFormat('HH:mm')
  if (dst === 'gap') {
    return language === 'zh'
      ? `当天因夏令时没有${clock},已顺延`
      : `${clock} is skipped that day by the DST change and was moved forward`
  }
  return language === 'zh'
    ? `当天${clock}因夏令时出现两次,取第一次`
    : `${clock} happens twice that day at the DST change; the first is meant`
}

function weekdayNote({ draft, wall }: Resolved, language: 'zh' | 'en'): string | undefined {
  const names = draft.month !== undefined && draft.weekday !== undefined && draft.nth === undefined && !draft.shift
  if (!names || wall.weekday === draft.weekday) return undefined
  const day = wall.setLocale(language === 'zh' ? 'zh-CN' : 'en').toFormat('cccc')
  return language === 'zh' ? `这一天是${day}` : `that date is a ${day}`
}

function hourNote({ draft, wall }: Resolved, language: 'zh' | 'en'): string | undefined {
  if (!hourWasChosen(draft) || isReadAsSaid(draft, wall)) return undefined
  const clock = wall.toFormat('HH:mm')
  return language === 'zh' ? `按${clock}理解` : `read as ${clock}`
}

/** The hour is ours when no clock was given, or one that fits both halves of the day. */
function hourWasChosen({ clock, period, shift, now, ...rest }: Draft): boolean {
  if (now || (shift && rest.shiftFrom === 'now' && !clock && !period)) return false
  if (!clock) return period === undefined ? hasDate(rest) || rest.endOfDay === true : period !== 'noon'
  if (clock.exact && clock.hour === 0 && hasDate(rest)) return true
  return !clock.exact && !clock.half && !period && clock.hour >= 1 && clock.hour <= 12
}

/** 明天10点 at 10:00 surprises nobody; 明天3点 at 15:00 may. Which midnight a date begins or ends with is always told. */
function isReadAsSaid({ clock }: Draft, wall: Resolved['wall']): boolean {
  if (!clock || clock.exact) return false
  return clock.hour * 60 + clock.minute + (clock.shiftMinutes ?? 0) === wall.hour * 60 + wall.minute
}

/** One of the five fields: the values it allows, and its text with numbers in place of names. */
export interface CronField {
  values: ReadonlySet<number>
  text: string
  /** Begins with a star: for the rule about day of the month and weekday it does not count as a restriction. */
  starred: boolean
}

interface FieldKind {
  min: number
  max: number
  names?: readonly string[]
}

const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const DAY_NAMES = 'sun mon tue wed thu fri sat'.split(' ')

/** In the order they are written. Seven is Sunday too. */
export const FIELD_KINDS = {
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  day: { min: 1, max: 31 },
  month: { min: 1, max: 12, names: MONTH_NAMES },
  weekday: { min: 0, max: 7, names: DAY_NAMES },
} as const satisfies Record<string, FieldKind>

export type FieldName = keyof typeof FIELD_KINDS
export const FIELD_NAMES = Object.keys(FIELD_KINDS) as FieldName[]

const ITEM = /^(?:(\*)|([a-z]{3}|\d{1,2})(?:-([a-z]{3}|\d{1,2}))?)(?:\/(\d{1,2}))?$/

/** Undefined when it is not a field of that kind. */
export function readField(written: string, name: FieldName): CronField | undefined {
  const kind: FieldKind = FIELD_KINDS[name]
  const items = written
    .toLowerCase()
    .split(',')
    .map((item) => readItem(item, kind))
  if (!items.every((item) => item !== undefined)) return undefined
  const sunday = (value: number): number => (name === 'weekday' ? value % 7 : value)
  const values = new Set(items.flatMap((item) => item.values.map(sunday)))
  return { values, text: textOf(items, values, name), starred: written.startsWith('*') }
}

interface Item {
  values: number[]
  text: string
}

function readItem(written: string, kind: FieldKind): Item | undefined {
  const shape = ITEM.exec(written)
  if (!shape) return undefined
  const [, star, left, right, stepText] = shape
  // Five past and every ten minutes from there, "5/10", runs to the end of the field.
  const from = star ? kind.min : valueOf(left, kind)
  const to = right ? valueOf(right, kind) : star || stepText ? lastOf(kind) : from
  const step = stepText ? Number(stepText) : 1
  if (from === undefined || to === undefined || from > to) return undefined
  if (step < 1 || step > lastOf(kind) - kind.min + 1) return undefined
  const values = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
  const base = star ? '*' : from === to ? `${from}` : `${from}-${to}`
  return { values, text: step > 1 && from !== to ? `${base}/${step}` : base }
}

/** A star or an open step over weekdays ends at Saturday: seven would be Sunday again. */
const lastOf = ({ max }: FieldKind): number => (max === 7 ? 6 : max)

function valueOf(written: string | undefined, { min, max, names }: FieldKind): number | undefined {
  const named = names?.indexOf(written ?? '') ?? -1
  const value = named >= 0 ? named + min : Number(written)
  return value >= min && value <= max ? value : undefined
}

function textOf(items: Item[], values: ReadonlySet<number>, name: FieldName): string {
  const { min, max } = FIELD_KINDS[name]
  if (values.size === lastOf({ min, max }) - min + 1) return '*'
  const crossesSunday = name === 'weekday' && items.some((item) => item.values.includes(7))
  return crossesSunday ? [...values].join(',') : items.map(({ text }) => text).join(',')
}

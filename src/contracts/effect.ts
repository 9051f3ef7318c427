import type { JsonObject, JsonValue } from './words'

export const EFFECT_VERBS = ['created', 'changed', 'cancelled', 'snoozed', 'acknowledged', 'refused'] as const
export type EffectVerb = (typeof EFFECT_VERBS)[number]

/** What tools work on. A refusal of a tool that works on nothing of this (a search, a list) is no effect. */
export const EFFECT_KINDS = ['scheduled_message', 'task', 'automation', 'run', 'notifications', 'time_zone'] as const
export type EffectKind = (typeof EFFECT_KINDS)[number]

/** One thing that a turn really did, or tried and was refused; answers carry them, whatever their words say. */
export interface Effect {
  did: EffectVerb
  kind: EffectKind
  /** Null when it was refused before there was one, and for settings, which have none. */
  id: string | null
  /** An instant in UTC. */
  due_at?: string
  /** What it is about: a title, or the beginning of a text. */
  summary?: string
  /** Why it was refused; `completed` of a task that was changed so. */
  reason?: string
}

/** What a call is about, before anybody knows what comes of it. */
export type EffectSubject = Pick<Effect, 'kind' | 'summary'> & { id?: string }

const SUMMARY_CHARACTERS = 120

/** The beginning of a text, in whole characters. */
export function summaryOf(text: string): string {
  const characters = [...text.trim()]
  return characters.length <= SUMMARY_CHARACTERS ? text.trim() : `${characters.slice(0, SUMMARY_CHARACTERS).join('')}…`
}

/** From the arguments of a call: an id that it names, or the text it is about. */
export function subjectOf(kind: EffectKind, { id, text }: { id?: JsonValue; text?: JsonValue }): EffectSubject {
  return {
    kind,
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof text === 'string' ? { summary: summaryOf(text) } : {}),
  }
}

export function isAbout(effect: Effect, { kind, id, summary }: EffectSubject): boolean {
  if (effect.kind !== kind) return false
  if (id !== undefined && effect.id !== null) return effect.id === id
  return summary !== undefined && effect.summary === summary
}

/** The effects as they are stored and sent: without the fields that are not there. */
export function effectsToJson(effects: readonly Effect[]): JsonObject[] {
  return effects.map((effect) => {
    const { did, kind, id, due_at: dueAt, summary, reason } = effect
    const told: JsonObject = { did, kind, id }
    if (dueAt !== undefined) told['due_at'] = dueAt
    if (summary !== undefined) told['summary'] = summary
    if (reason !== undefined) told['reason'] = reason
    return told
  })
}

/** What the message of an answer keeps of them. */
export function metadataOf({ effects }: { effects: readonly Effect[] }): JsonObject {
  return effects.length === 0 ? {} : { effects: effectsToJson(effects) }
}

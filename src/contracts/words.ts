import { PLATFORM_NAMES } from './platforms'
import type { PlatformName } from './platforms'

/** The words of the product: one word, one meaning, in code, tables, API and docs. */
export type ChannelName = 'web' | PlatformName
export const CHANNELS: readonly ChannelName[] = ['web', ...PLATFORM_NAMES]

export const LAUNCHER_TYPES = ['person', 'group'] as const
export type LauncherType = (typeof LAUNCHER_TYPES)[number]

export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export const TURN_ORIGINS = ['user', 'automation'] as const
export type TurnOrigin = (typeof TURN_ORIGINS)[number]

/** `closed` is a turn whose holder died or gave up; like `failed` it left a visible closing message. */
export type TurnStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'closed'

/** Where a message came from. */
export const SOURCE_KINDS = ['chat', 'closing', 'scheduled_send', 'plugin_feedback', 'automation', 'push'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export const ANSWER_TYPES = ['text', 'task_summary', 'question'] as const
export type AnswerType = (typeof ANSWER_TYPES)[number]

export const SCHEDULED_MESSAGE_STATUSES = ['pending', 'sent', 'cancelled', 'failed'] as const
export type ScheduledMessageStatus = (typeof SCHEDULED_MESSAGE_STATUSES)[number]

/**
 * What became of a message after it was sent. `repeating` is said again until it is done, `unanswered` was said as often as
 * it may be, `stopped` is repeated no more because somebody cancelled that.
 */
export const FOLLOW_UPS = ['repeating', 'snoozed', 'acknowledged', 'unanswered', 'stopped'] as const
export type FollowUp = (typeof FOLLOW_UPS)[number]

/** Where the zone of a conversation comes from. What a person said counts until they or a program change it on purpose. */
export const ZONE_SOURCES = ['default', 'said', 'channel', 'api'] as const
export type ZoneSource = (typeof ZONE_SOURCES)[number]

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/** An object that is no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { isObject } from '../../contracts/words'
import type { JsonObject, JsonValue } from '../../contracts/words'

/** The parameter that delays the feedback of a tool; added to tools of MCP servers that ask for it. */
export const SCHEDULE_SCHEMA: JsonObject = {
  oneOf: [
    {
      type: 'string',
      description: "当用户需要延迟处理/延迟反馈时使用：例如 '5分钟后'、'30秒后'、'明天09:00'、ISO 字符串。",
    },
    {
      type: 'object',
      properties: {
        when: { type: 'string', description: "时间表达：如 '5分钟后' / '明天09:00' / ISO 字符串" },
        language: { type: 'string', description: '语言标识，例如 zh|en（默认 zh）' },
        timezone: { type: 'string', description: 'IANA 时区名称，例如 Asia/Shanghai' },
      },
      additionalProperties: true,
    },
  ],
  description:
    '可选：当用户需要延迟处理/延迟反馈时使用；仅控制反馈时间，不延迟执行。若到点未完成，将先反馈进行中状态。',
}

export interface ScheduleRequest {
  when: string
  language?: string
  timezone?: string
}

/** Reads both forms of `schedule`. Whether `when` is a time is for the reader of time expressions to say. */
export function readSchedule(value: JsonValue): ScheduleRequest | { error: string } {
  if (typeof value === 'string') return readWhen({ when: value })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'schedule must be a time expression, or an object with "when"' }
  }
  return readWhen(value)
}

function readWhen({ when, language, timezone }: JsonObject): ScheduleRequest | { error: string } {
  if (typeof when !== 'string' || when.trim() === '') return { error: 'schedule says no time: "when" is missing' }
  if (!isTextOrMissing(language)) return { error: 'schedule.language must be text such as zh or en' }
  if (!isTextOrMissing(timezone)) return { error: 'schedule.timezone must be text such as Asia/Shanghai' }
  return { when: when.trim(), ...(language ? { language } : {}), ...(timezone ? { timezone } : {}) }
}

/** Models write null or nothing for what they leave out. */
const isTextOrMissing = (value: JsonValue | undefined): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string'

export function isSchedulable(inputSchema: JsonObject): boolean {
  return isObject(inputSchema['properties']) && Object.hasOwn(inputSchema['properties'], 'schedule')
}

export function addSchedule(inputSchema: JsonObject): JsonObject {
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {}
  return { ...inputSchema, properties: { ...properties, schedule: SCHEDULE_SCHEMA } }
}

/** The schema that a call is checked against: `schedule` is ours, and gone before a handler sees its arguments. */
export function removeSchedule(inputSchema: JsonObject): JsonObject {
  const { properties, required, ...rest } = inputSchema
  const isOther = (name: JsonValue) => name !== 'schedule'
  return {
    ...rest,
    properties: isObject(properties) ? omitSchedule(properties) : {},
    ...(Array.isArray(required) ? { required: required.filter(isOther) } : {}),
  }
}

export function omitSchedule({ schedule: _schedule, ...others }: JsonObject): JsonObject {
  return others
}

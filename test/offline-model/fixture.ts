import type { Tool, ToolResult } from '../../src/contracts/tool'
import type { JsonObject, JsonValue, Language } from '../../src/contracts/words'
import type { ModelMessage } from '../../src/planner/model'
import { createOpenAiModel } from '../../src/planner/openai-model'
import { getPipeline } from '../../src/planner/pipelines'
import { runPlannerLoop } from '../../src/planner/planner-loop'
import type { PlannerOutcome } from '../../src/planner/planner-loop'
import { buildSystemPrompt } from '../../src/planner/system-prompt'
import { describeTime } from '../../src/time/describe-time'
import { parseTimeExpression } from '../../src/time/parse-time-expression'
import { SESSION } from '../planner/planner-fixture'

/** Tuesday, half past nine in the morning in Shanghai. */
export const NOW = new Date('2026-11-17T01:30:00Z')
const ZONE = 'Asia/Shanghai'

interface Row {
  id: string
  sendAt: Date
  text: string
  status: 'pending' | 'cancelled'
}

/** A chat with the offline model: the real client, loop and time reader, with reminders kept in memory. */
export function createOfflineChat(
  baseUrl: string,
  { withTools = true, pipeline = 'assistant', moreTools = [] as Tool[] } = {},
) {
  const rows: Row[] = []
  const history: ModelMessage[] = []
  const model = createOpenAiModel({ apiKey: undefined, baseUrl, name: undefined, idleTimeoutMs: 5_000, maxRetries: 0 })
  return {
    rows,
    pending: () => rows.filter(({ status }) => status === 'pending').map(({ sendAt, text }) => [local(sendAt), text]),
    add(id: string, sendAt: string, text: string) {
      rows.push({ id, sendAt: new Date(sendAt), text, status: 'pending' })
    },
    async says(text: string): Promise<PlannerOutcome> {
      const language: Language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
      history.push({ role: 'user', content: text })
      const signal = new AbortController().signal
      const outcome = await runPlannerLoop({
        model,
        system: buildSystemPrompt(getPipeline(pipeline), { now: NOW, zone: ZONE, language, session: SESSION }),
        history: [...history],
        tools: withTools ? [...createReminderTools(rows, language), ...moreTools] : moreTools,
        context: { session: SESSION, turnId: 't', fence: 1, origin: 'user', language, signal },
        now: async () => NOW,
        recorder: { started: async () => 'new', ended: async () => {} },
        signal,
      })
      history.push({ role: 'assistant', content: outcome.content })
      return outcome
    },
  }
}

const local = (date: Date) => describeTime(date, NOW, ZONE, 'zh').local.slice(0, 19).replace('T', ' ')

const asText = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '')

/** Named, described and answering as the real ones, which need a database. */
function createReminderTools(rows: Row[], language: Language): Tool[] {
  const tool = (name: string, properties: object, execute: (args: JsonObject) => ToolResult): Tool => ({
    name,
    description: name,
    parameters: { type: 'object', properties, additionalProperties: false },
    isOffered: () => true,
    execute: async (args) => execute(args),
  })
  const pending = () =>
    rows.filter(({ status }) => status === 'pending').sort((a, b) => a.sendAt.getTime() - b.sendAt.getTime())
  const describe = (row: Row): JsonObject => {
    const { local: sendAt, phrase } = describeTime(row.sendAt, NOW, ZONE, language)
    return { task_id: row.id, send_at: sendAt, phrase, message_text: row.text, status: row.status }
  }
  const cancel = (list: Row[]): ToolResult => {
    for (const row of list) row.status = 'cancelled'
    return { ok: true, data: { cancelled_task_ids: list.map(({ id }) => id), scheduled_messages: list.map(describe) } }
  }
  const text = { type: 'string' }
  const flag = { type: 'boolean' }
  return [
    tool('schedule_private_message', { send_at: text, message_text: text, replace_existing: flag }, (args) => {
      const read = parseTimeExpression({ text: asText(args['send_at']), now: NOW, zone: ZONE, language })
      if (!read.ok) return { ok: false, code: 'invalid_time', hint: read.hint }
      const cancelled = args['replace_existing'] === true ? pending() : []
      cancel(cancelled)
      const row: Row = {
        id: `task-${rows.length + 1}`,
        sendAt: read.instant,
        text: asText(args['message_text']),
        status: 'pending',
      }
      rows.push(row)
      const { status: _status, ...shown } = describe(row)
      const cancelledIds = cancelled.map(({ id }) => id)
      return { ok: true, data: { ...shown, session_id: 's', timezone: ZONE, cancelled_task_ids: cancelledIds } }
    }),
    tool('cancel_scheduled_private_message', { task_id: text, all: flag }, (args) => {
      const list = args['task_id'] === undefined ? pending() : pending().filter(({ id }) => id === args['task_id'])
      if (list.length === 0) return { ok: false, code: 'nothing_pending', hint: 'Nothing is scheduled in this chat.' }
      if (list.length === 1 || args['all'] === true) return cancel(list)
      const data = { count: list.length, scheduled_messages: list.map(describe) }
      return { ok: false, code: 'which_one', hint: 'Several are pending: ask which one.', data }
    }),
    tool('list_scheduled_private_messages', {}, () => ({
      ok: true,
      data: { count: pending().length, scheduled_messages: pending().map(describe) },
    })),
  ]
}

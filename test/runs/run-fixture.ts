import { refusedError } from '../../src/errors'
import fs from 'node:fs'
import path from 'node:path'
import type { Pool } from 'pg'
import type { Run, RunEvent } from '../../src/runs/contract'
import type { Session } from '../../src/conversation/session'
import type { JsonObject } from '../../src/contracts/words'
import type { RunRequest, StepRequest } from '../../src/runs/runs'
import { eventually } from '../support/eventually'
import type { Product } from '../support/product'
import { createTestFolder } from '../support/services'

export const PLUGINS = { PUNCTUAL_PLUGINS_DIR: path.resolve(__dirname, 'fixtures/plugins') }

export type ResultEvent = RunEvent & {
  result: { success: boolean; code: string; data: JsonObject | null; error: { message: string } | null }
}

export async function startRun(
  { parts }: Pick<Product, 'parts'>,
  { sessionKey, botUuid, timezone }: Session,
  steps: StepRequest[],
  more: Partial<RunRequest> = {},
): Promise<Run> {
  const rest = { origin: 'api', language: 'en', overlays: {} } as const
  const started = await parts.runs.start({ sessionKey, botUuid, timezone, ...rest, steps, ...more })
  if (!started.ok) throw refusedError(started, { status: 400, message: started.hint })
  return started.run
}

/** Every event of a run that has ended. */
export async function storyOf({ parts }: Pick<Product, 'parts'>, id: string, limitMs = 60_000): Promise<RunEvent[]> {
  await eventually(async () => (await parts.runs.find(id))?.run.endedAt, limitMs, 100)
  return parts.runs.events(id, 0, 100)
}

export const typesOf = (events: RunEvent[]) => events.map(({ type }) => type)

export const resultOf = (events: RunEvent[], step = 0) =>
  events.find(({ type, stepIndex }) => type === 'tool_result' && stepIndex === step) as ResultEvent | undefined

export async function saidIn({ parts }: Pick<Product, 'parts'>, { sessionKey }: Session): Promise<string[]> {
  return (await parts.stores.messages.latest(sessionKey, { limit: 50 })).map(({ content }) => content)
}

/** Every way in which a run that has ended could tell two stories; none of them may answer a row. */
const CONTRADICTIONS = {
  'a run completes once, and with its last word': `
    SELECT r.id FROM runs r LEFT JOIN run_events e ON e.run_id = r.id AND e.type = 'completed'
    WHERE r.status <> 'running' GROUP BY r.id
    HAVING count(e.seq) <> 1 OR max(e.seq) <> (SELECT max(seq) FROM run_events a WHERE a.run_id = r.id)`,
  'every step has one result': `
    SELECT s.run_id, s.step_index FROM run_steps s JOIN runs r ON r.id = s.run_id
    LEFT JOIN run_events e ON e.run_id = s.run_id AND e.step_index = s.step_index AND e.type = 'tool_result'
    WHERE r.status <> 'running' GROUP BY s.run_id, s.step_index HAVING count(e.seq) <> 1`,
  'args come once, an interim state at most once, and neither after the result': `
    SELECT e.run_id, e.step_index FROM run_events e
    LEFT JOIN run_events after ON after.run_id = e.run_id AND after.step_index = e.step_index
      AND after.type = 'tool_result' AND after.seq < e.seq
    WHERE e.type IN ('args', 'tool_choice')
    GROUP BY e.run_id, e.step_index, e.type HAVING count(*) > 1 OR count(after.seq) > 0`,
  'events are numbered without a gap': `
    SELECT run_id FROM run_events GROUP BY run_id HAVING min(seq) <> 1 OR max(seq) <> count(*)`,
  'no result is told before its time, unless it timed out or was cancelled': `
    SELECT e.run_id FROM run_events e JOIN run_steps s ON s.run_id = e.run_id AND s.step_index = e.step_index
    WHERE e.type = 'tool_result' AND e.created_at < s.feedback_at - interval '5 milliseconds'
      AND e.data->'result'->>'code' NOT IN ('TIMEOUT', 'CANCELLED')`,
  'each interim state and each result is one message, with the words of the event': `
    SELECT e.run_id, e.type FROM run_events e JOIN runs r ON r.id = e.run_id
    LEFT JOIN message_history m ON m.session_key = r.session_key AND m.source_ref =
      'run:' || e.run_id || '/' || e.step_index || CASE e.type WHEN 'tool_choice' THEN '/progress' ELSE '/result' END
    WHERE e.type IN ('tool_choice', 'tool_result') AND r.session_key IS NOT NULL AND r.origin <> 'call'
      AND NOT (r.status = 'cancelled' AND e.data->'result'->>'code' = 'CANCELLED')
    GROUP BY e.run_id, e.type, e.seq
    HAVING count(m.id) <> 1 OR bool_or(e.type = 'tool_choice' AND m.message_content <> e.data->>'message')`,
  'no message tells what no event tells': `
    SELECT m.id FROM message_history m WHERE m.source_kind = 'plugin_feedback' AND NOT EXISTS (
      SELECT 1 FROM run_events e WHERE m.source_ref = 'run:' || e.run_id || '/cancelled' AND e.type = 'completed'
        OR m.source_ref = 'run:' || e.run_id || '/' || e.step_index || '/progress' AND e.type = 'tool_choice'
        OR m.source_ref = 'run:' || e.run_id || '/' || e.step_index || '/result' AND e.type = 'tool_result')`,
  'the stream calls a step as the list of promises does': `
    SELECT DISTINCT session_key FROM session_events WHERE name = 'promise' AND data->>'kind' = 'run'
      AND data->>'state' NOT IN ('pending', 'sent', 'failed', 'cancelled')`,
  'the stream of the session shows the same events': `
    SELECT r.id FROM runs r WHERE r.session_key IS NOT NULL AND
      (SELECT count(*) FROM run_events e WHERE e.run_id = r.id) <>
      (SELECT count(*) FROM session_events s WHERE s.session_key = r.session_key AND s.name = 'run'
        AND s.data->>'run_id' = r.id::text)`,
}

export async function findRunContradictions(pool: Pool): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {}
  for (const [rule, sql] of Object.entries(CONTRADICTIONS)) {
    const { rows } = await pool.query<object>(sql)
    if (rows.length > 0) found[rule] = rows
  }
  return found
}

/** A file where handlers note what happens to them: they see no environment and share no memory with the test. */
export function createNotes(name: string) {
  const dir = createTestFolder(name)
  const file = path.join(dir, 'notes')
  const gate = path.join(dir, 'gate')
  return {
    file,
    gate,
    lines: () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : []),
    openGate: () => fs.writeFileSync(gate, ''),
  }
}

export type Notes = ReturnType<typeof createNotes>

/** Gone, or dead and only not yet collected by whoever inherited it. */
export function isGone(pid: number): boolean {
  try {
    return /\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** The settings that bring the MCP server whose tool answers at a given instant, `clock__wait_until`. */
export function withClock(dir = createTestFolder('clock')): Record<string, string> {
  const server = path.resolve(__dirname, 'fixtures/servers/clock.mjs')
  const config = { mcpServers: { clock: { command: process.execPath, args: [server], schedule: true } } }
  const file = path.join(dir, 'mcp.json')
  fs.writeFileSync(file, JSON.stringify(config))
  return { PUNCTUAL_MCP_CONFIG: file }
}

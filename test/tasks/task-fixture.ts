import type { Effect } from '../../src/contracts/effect'
import type { FastifyInstance } from 'fastify'
import type { Task } from '../../src/tasks/contract'
import type { JsonObject } from '../../src/contracts/words'
import { readEvents } from '../support/sse-client'
import { WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { createTestDatabase } from '../support/services'
import { Client } from 'pg'
import { calls, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel, ScriptStep } from '../support/scripted-model'

/** The "today" of the dialogues, a Thursday, at nine in the morning in Shanghai. */
export const MORNING = '2026-02-05T09:00:00+08:00'

export interface Said {
  content: string
  session_key: string
  turn_id: string
  type: string
  payload: JsonObject | null
  tool_calls: { name: string; arguments: JsonObject; result: JsonObject }[]
  effects: Effect[]
  heard: string
}

export interface TaskFixture {
  product: Product
  app: FastifyInstance
  setNow(iso: string): Promise<void>
  /** One person who talks over HTTP. */
  person(pipeline?: 'tasks' | 'assistant', id?: string): Person
  close(): Promise<void>
}

export interface Person {
  id: string
  says(message: string): Promise<Said>
  tasks(): Promise<Task[]>
  titles(): Promise<string[]>
}

let people = 0

/** The whole product behind its HTTP door, at a time of our choosing; Temporal is not needed to decide about tasks. */
export async function buildTaskFixture(env: Record<string, string> = {}, now = MORNING): Promise<TaskFixture> {
  const { url, drop } = await createTestDatabase()
  const clock = await pretendClock(url)
  await clock.setNow(now)
  const product = await buildProduct({ ...WITHOUT_TEMPORAL, DATABASE_URL: url, ...env })
  const key = await product.addKey()
  const app = await product.serve()

  function person(pipeline: 'tasks' | 'assistant' = 'tasks', id = `person-${(people += 1)}`): Person {
    const owner = { botUuid: product.botUuid, launcherType: 'person', launcherId: id } as const
    const tasks = async () => (await product.parts.stores.tasks.list(owner, {}, { limit: 100 })).tasks
    return {
      id,
      tasks,
      titles: async () => (await tasks()).map(({ title }) => title),
      async says(message) {
        const answer = await app.inject({
          method: 'POST',
          url: '/api/ai/chat',
          headers: { 'x-api-key': key, accept: 'text/event-stream' },
          payload: { message, bot_uuid: product.botUuid, launcher_id: id, pipeline_uuid: pipeline },
        })
        const events = readEvents(answer.body)
        const last = events.at(-1)
        if (last?.event !== 'answer') throw new Error(answer.body)
        const heard = events.filter(({ event }) => event === 'delta').map(({ data }) => (data as { text: string }).text)
        return { ...(last.data as Said), heard: heard.join('') }
      },
    }
  }

  return {
    ...{ product, app, person, setNow: clock.setNow },
    async close() {
      await app.close()
      await product.close()
      await drop()
    },
  }
}

/**
 * Moves the clock of one database: PostgreSQL's is the only clock that decides, so a test that needs another day moves
 * that. `clock_timestamp()` is found in a schema of our own first; connections opened from now on see it.
 */
async function pretendClock(url: string): Promise<{ setNow(iso: string): Promise<void> }> {
  const database = new URL(url).pathname.slice(1)
  await run(
    url,
    `CREATE SCHEMA pretend;
     CREATE TABLE pretend.clock (shift interval NOT NULL);
     INSERT INTO pretend.clock VALUES ('0');
     CREATE FUNCTION pretend.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
       $$ SELECT pg_catalog.clock_timestamp() + shift FROM pretend.clock $$;
     ALTER DATABASE "${database}" SET search_path = pretend, public, pg_catalog`,
  )
  return {
    setNow: (iso) => run(url, `UPDATE pretend.clock SET shift = '${iso}'::timestamptz - pg_catalog.clock_timestamp()`),
  }
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export const TOMORROW = '2026-02-06'
export const range = { dueDate: TOMORROW, startTime: '16:00', endTime: '17:00' }
export const create = (args: object) => calls('create_task', args)
/** The result of the last call of a turn. */
export const result = (said: Said): JsonObject | undefined => said.tool_calls.at(-1)?.result

export interface ScriptedFixture extends TaskFixture {
  model: ScriptedModel
  /** What the model does when the person says something. */
  play(person: Person, message: string, ...script: ScriptStep[]): Promise<Said>
  /** A person with one task, made by the model. */
  withTask(title?: string, when?: object, pipeline?: 'tasks' | 'assistant'): Promise<{ person: Person; taskId: string }>
}

/** The task house with a model that does what a script says. */
export async function buildScriptedFixture(): Promise<ScriptedFixture> {
  const model = await startScriptedModel()
  const house = await buildTaskFixture({ OPENAI_BASE_URL: model.baseUrl })
  const play = (person: Person, message: string, ...script: ScriptStep[]) => {
    model.setScript(script)
    return person.says(message)
  }
  return {
    ...{ ...house, model, play },
    async withTask(title = '买东西', when = range, pipeline = 'tasks') {
      const person = house.person(pipeline)
      await play(person, '…', create({ title, ...when }), says('好的。'))
      const [task] = await person.tasks()
      return { person, taskId: task!.taskId }
    },
    async close() {
      await house.close()
      await model.close()
    },
  }
}

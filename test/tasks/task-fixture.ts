import type { Effect } from '../../src/contracts/effect'
import type { FastifyInstance } from 'fastify'
import type { Task } from '../../src/tasks/contract'
import type { JsonObject } from '../../src/contracts/words'
import { readEvents } from '../support/sse-client'
import { WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { createTestDatabase } from '../support/services'
import { pretendClock } from './pretend-clock'

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

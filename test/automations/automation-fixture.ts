import { Client, Connection } from '@temporalio/client'
import { v7 as uuidv7 } from 'uuid'
import { automationScheduleId } from '../../src/automations/contract'
import type { AutomationRun } from '../../src/automations/contract'
import type { AutomationWish } from '../../src/automations/automations'
import { createCron } from '../../src/automations/tools/cron'
import type { ToolContext, ToolResult } from '../../src/contracts/tool'
import type { JsonObject } from '../../src/contracts/words'
import type { Session } from '../../src/conversation/session'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { temporalAddress } from '../support/services'
import { startScriptedModel } from '../support/scripted-model'
import type { Script, ScriptedModel } from '../support/scripted-model'

export interface World {
  product: Product
  model: ScriptedModel
  /** An operator's own client. */
  temporal: Client
  add(session: Session, wish?: Partial<AutomationWish>): Promise<string>
  /** Temporal is made to take a slot now, as an operator would; the slot is whole seconds. */
  fire(automationId: string): Promise<void>
  runs(automationId: string): Promise<AutomationRun[]>
  /** Waits until the automation has `count` runs that are over. */
  ended(automationId: string, count?: number): Promise<AutomationRun[]>
  history(sessionKey: string): ReturnType<Product['parts']['stores']['messages']['latest']>
  close(): Promise<void>
}

const OVER = new Set(['succeeded', 'failed', 'empty', 'missed', 'cancelled'])

/** The whole product on real services; the model says what the script says. */
export async function buildWorld(script: Script, env: Record<string, string> = {}): Promise<World> {
  const model = await startScriptedModel(script)
  const settings = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', MODEL_MAX_RETRIES: '0', ...env }
  const product = await buildProduct(settings)
  const connection = await Connection.connect({ address: temporalAddress() })
  const temporal = new Client({ connection, namespace: product.namespace })
  const { automations } = product.parts
  const runs = (id: string) => automations.runs(id, 100)
  return {
    product,
    model,
    temporal,
    async add(session, wish = {}) {
      const outcome = await automations.add(session, {
        message: 'check the oven',
        name: 'oven',
        ...(wish.at || wish.repeat || wish.cronExpr || wish.rrule || wish.everySeconds
          ? {}
          : { repeat: 'every 6 hours' }),
        language: 'en',
        ...wish,
      })
      if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.hint}`)
      return outcome.view.automation.id
    },
    async fire(id) {
      const handle = temporal.schedule.getHandle(automationScheduleId(id))
      // Two triggers in one second would be one slot.
      const [last] = await runs(id)
      if (last) await eventually(() => Date.now() > last.scheduledAt.getTime() + 1_100)
      await eventually(
        () =>
          handle.trigger('BUFFER_ONE').then(
            () => true,
            () => false,
          ),
        60_000,
      )
    },
    runs,
    ended: (id, count = 1) =>
      eventually(async () => {
        const found = await runs(id)
        return found.filter(({ state }) => OVER.has(state)).length >= count ? found : null
      }, 40_000),
    history: (sessionKey) => product.parts.stores.messages.latest(sessionKey, { limit: 100 }),
    async close() {
      await product.close()
      await connection.close()
      await model.close()
    },
  }
}

/** The tool `cron` as a turn of the session calls it. */
export function callCron(
  { parts }: Product,
  session: Session,
  args: JsonObject,
  change: Partial<ToolContext> = {},
): Promise<ToolResult> {
  return createCron(parts.automations).execute(args, {
    session,
    turnId: uuidv7(),
    toolCallId: uuidv7(),
    fence: 0,
    origin: 'user',
    language: 'en',
    offered: new Set(['cron']),
    now: new Date(),
    signal: new AbortController().signal,
    ...change,
  })
}

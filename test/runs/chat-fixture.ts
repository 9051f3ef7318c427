import { Writable } from 'node:stream'
import pino from 'pino'
import { createProduct } from '../../src/build/product'
import type { Product as Parts } from '../../src/build/product'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel, ScriptedRequest, ScriptStep } from '../support/scripted-model'
import { PLUGINS } from './run-fixture'

export type LogLine = Record<string, unknown> & { msg: string }

/** A product whose model is scripted and whose log is kept. */
export interface ChatWorld {
  product: Product
  parts: Parts
  model: ScriptedModel
  log: LogLine[]
  close(): Promise<void>
}

export async function buildChatWorld(): Promise<ChatWorld> {
  const model = await startScriptedModel()
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', MODEL_MAX_RETRIES: '0', ...PLUGINS }
  const product = await buildProduct(env)
  const log: LogLine[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean)) log.push(JSON.parse(line) as LogLine)
      done()
    },
  })
  const parts = await createProduct(product.parts.config, pino({ level: 'info' }, sink))
  const worker = await product.startWorker(parts)
  return {
    product,
    parts,
    model,
    log,
    async close() {
      await worker.stop()
      await parts.close()
      await product.close()
      await model.close()
    },
  }
}

type Duty = 'progress' | 'result' | 'arguments'
const DUTIES: Record<Duty, RegExp> = {
  progress: /^You write one progress message/,
  result: /^You tell a person the outcome/,
  arguments: /^You complete the arguments/,
}

export const systemOf = ({ body }: ScriptedRequest) => body.messages[0]?.content ?? ''
export const isDuty = (request: ScriptedRequest, duty: Duty) => DUTIES[duty].test(systemOf(request))

/** Plays the turns in order, and answers the requests for words beside them as they come. */
export function direct(
  turns: ScriptStep[],
  words: Partial<Record<Duty, (request: ScriptedRequest) => ScriptStep>> = {},
) {
  const left = [...turns]
  return (request: ScriptedRequest): ScriptStep => {
    for (const duty of Object.keys(DUTIES) as Duty[]) {
      if (isDuty(request, duty)) return words[duty]?.(request) ?? says('words that nobody asked for')
    }
    return left.shift() ?? says('the script has ended')
  }
}

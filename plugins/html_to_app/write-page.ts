import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { objectAt, objectsAt, textAt } from '../_service/fields'
import { openModelEndpoint } from '../_service/model-endpoint'
import { fault } from '../_service/words'
import { faultsOf, takePage } from './check-page'
import { toMending, toMessages } from './prompt'
import type { PageWish } from './prompt'

/** The model writes the page; one that cannot be used goes back to it once. */
export async function writePage(wish: PageWish, context: HandlerContext): Promise<string> {
  const endpoint = openModelEndpoint(context)
  const model = await endpoint.chatModel()
  const ask = async (messages: JsonObject[]) =>
    readAnswer(await endpoint.post('chat/completions', { model, messages }), context)
  const messages: JsonObject[] = toMessages(wish)
  const first = await ask(messages)
  const faults = faultsOf(takePage(first))
  if (faults.length === 0) return takePage(first)
  context.log.warn('the page goes back to the model', { faults })
  context.heartbeat('mending the page')
  const second = takePage(await ask([...messages, { role: 'assistant', content: first }, toMending(faults)]))
  const left = faultsOf(second)
  if (left.length > 0) throw unusable(left, context)
  return second
}

function readAnswer(answer: JsonObject, context: HandlerContext): string {
  const [choice = {}] = objectsAt(answer, 'choices')
  if (choice['finish_reason'] === 'length') {
    throw fault(context, {
      zh: '模型写的网页太长，被截断了；请把应用说得简单一些。',
      en: 'The page was too long for the model and was cut off; ask for a simpler app.',
    })
  }
  return textAt(objectAt(choice, 'message') ?? {}, 'content') ?? ''
}

function unusable(faults: string[], context: HandlerContext): Error {
  const list = faults.join(' ')
  return fault(context, {
    zh: `模型写的网页不能用：${list}`,
    en: `The page that the model wrote cannot be used: ${list}`,
  })
}

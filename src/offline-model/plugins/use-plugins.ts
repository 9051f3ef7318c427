import type { JsonObject, Language } from '../../contracts/words'
import { call, say } from '../conversation'
import type { Conversation, Intent, Step } from '../conversation'
import { isObject, localTime, textField } from '../result-fields'
import { readPlan, readSingle } from './read-request'
import type { PlannedCall } from './read-request'
import { DRAW, PLAN, SEARCH } from './tools'

/** "画一只猫,10秒后告诉我", "search X and then draw Y". Only where the tools are; elsewhere the words may mean something else. */
export const usePlugins: Intent = (conversation, tools) => {
  const { text, language, results } = conversation
  if (results.length > 0) return undefined
  const plan = readPlan(text, language)
  if (plan) return tools.has(PLAN) && plan.every(({ aiName }) => tools.has(aiName)) ? startPlan(plan) : undefined
  const single = readSingle(text, language)
  if (!single || !tools.has(single.aiName)) return undefined
  return askWhat(single.aiName, Object.keys(single.args), conversation) ?? call(single.aiName, single.args)
}

function startPlan(plan: PlannedCall[]): Step {
  const steps = plan.map(({ aiName, args, dependsOn, reason }) => ({ aiName, draftArgs: args, dependsOn, reason }))
  return call(PLAN, { steps })
}

/** In a plan it may follow from the step before; alone it must be said. */
function askWhat(aiName: string, given: string[], conversation: Conversation): Step | undefined {
  if (aiName === DRAW && !given.includes('prompt')) {
    return say(conversation, { zh: '要画什么？比如“画一只猫”。', en: 'What should I draw? For example "draw a cat".' })
  }
  if (aiName === SEARCH && !given.includes('query')) {
    return say(conversation, { zh: '要搜索什么？', en: 'What should I search for?' })
  }
  return undefined
}

const SHOWN_CHARACTERS = 1_500

/** What became of a call of a plugin or of a plan, in words. */
export function phrasePluginResult(result: JsonObject, language: Language): string {
  const isChinese = language === 'zh'
  if (result['success'] !== true) return phraseFailure(result, isChinese)
  if (result['status'] === 'scheduled') return phraseScheduled(result, isChinese)
  if (result['status'] === 'started') return phrasePlan(result, isChinese)
  const { data = null } = result
  const summary = isObject(data) ? textField(data, 'summary') : typeof data === 'string' ? data : ''
  return summary || (data === null ? (isChinese ? '好了。' : 'Done.') : JSON.stringify(data).slice(0, SHOWN_CHARACTERS))
}

function phraseScheduled(result: JsonObject, isChinese: boolean): string {
  const at = localTime(textField(result, 'feedback_at'))
  const phrase = textField(result, 'phrase')
  return isChinese
    ? `好的，已经开始了，${phrase}（${at}）告诉你结果。`
    : `All right, it has started. You will hear ${phrase} (${at}).`
}

function phrasePlan({ steps }: JsonObject, isChinese: boolean): string {
  const count = typeof steps === 'number' ? steps : '?'
  return isChinese
    ? `好的，计划开始了，一共 ${count} 步，每一步有了结果都会告诉你。`
    : `All right, the plan of ${count} steps has started. You will hear of each result.`
}

function phraseFailure(result: JsonObject, isChinese: boolean): string {
  if (result['code'] === 'TIMEOUT') return isChinese ? '超时了，没有完成。' : 'It timed out and did not finish.'
  const own = isObject(result['error']) ? textField(result['error'], 'message') : ''
  const reason = own || textField(result, 'hint') || textField(result, 'reason') || '?'
  return isChinese ? `没有办成：${reason}` : `That did not work: ${reason}`
}

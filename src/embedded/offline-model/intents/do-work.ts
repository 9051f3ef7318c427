import type { Conversation } from '../conversation'
import type { Intent, Step } from '../intent'
import { call, say } from '../intent'
import { readPlan, readSingle } from '../work/read-request'
import type { PlannedWork } from '../work/read-request'
import { DRAW, PLAN, SEARCH } from '../work/tools'

/** "画一只猫,10秒后告诉我", "search X and then draw Y". Only where the tools are; elsewhere the words may mean something else. */
export const doWork: Intent = (conversation, tools) => {
  const { text, language, results } = conversation
  if (results.length > 0) return undefined
  const plan = readPlan(text, language)
  if (plan) return tools.has(PLAN) && plan.every(({ aiName }) => tools.has(aiName)) ? startPlan(plan) : undefined
  const work = readSingle(text, language)
  if (!work || !tools.has(work.aiName)) return undefined
  return askWhat(work.aiName, Object.keys(work.args), conversation) ?? call(work.aiName, work.args)
}

function startPlan(plan: PlannedWork[]): Step {
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

import type { Effect } from '../../src/contracts/effect'
import type { Tool, ToolResult } from '../../src/contracts/tool'
import { calls, callsAll, cutsText, says, saysAsJson, saysSlowly, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel, ScriptStep } from '../support/scripted-model'
import { createNoteTool, modelAt, runLoop, SESSION } from './planner-fixture'

let scripted: ScriptedModel
beforeAll(async () => {
  scripted = await startScriptedModel()
})
beforeEach(() => {
  scripted.requests.length = 0
})
afterAll(() => scripted.close())

const created = (title: string): Effect => ({ did: 'created', kind: 'task', id: `id of ${title}`, summary: title })
const conflict: ToolResult = {
  ok: false,
  code: 'conflict',
  hint: 'It overlaps.',
  question: { text: '要换到什么时间？' },
  answer: { type: 'question', payload: { code: 'conflict' } },
}

/** Creates the task it is told to, but none that is called "clash" at its first try. */
function createTaskTool(): Tool {
  let refused = false
  const { tool } = createNoteTool('create_task', async ({ text }) => {
    const title = text as string
    if (title !== 'clash' || refused) return { ok: true, data: { title }, effects: [created(title)] }
    refused = true
    return conflict
  })
  return { ...tool, subject: ({ text }) => ({ kind: 'task', summary: text as string }) }
}

const deleteTool = (): Tool => ({
  ...createNoteTool('delete_task', async ({ text }) => ({
    ok: false,
    code: 'need_confirmation',
    hint: 'Ask.',
    question: { text: `确定要删除“${text as string}”吗？`, name: 'delete' },
    answer: { type: 'question', payload: { code: 'need_confirmation' } },
  })).tool,
  subject: ({ text }) => ({ kind: 'task', id: text as string }),
})

async function play(script: ScriptStep[], tools: Tool[] = []) {
  scripted.setScript(script)
  const signal = new AbortController().signal
  const context = { session: SESSION, turnId: 't', fence: 1, origin: 'user' as const, language: 'zh' as const, signal }
  return runLoop({ model: modelAt(scripted.baseUrl, { maxRetries: 0 }), tools, context })
}
const create = (text: string) => calls('create_task', { text })
const remove = (text: string) => calls('delete_task', { text })

describe('what a model says', () => {
  it.each([
    'Daily report: the release task was completed yesterday by Ann, and the Friday meeting has been cancelled.',
    '不客气，明天早上9点我会准时提醒你开会。',
    '是的，已经帮你定好了。',
    '“任务已删除” in English is "the task has been deleted".',
  ])('is shown as it is, although no tool did anything: %s', async (text) => {
    const { outcome, heard } = await play([says(text)], [createTaskTool()])
    expect(outcome).toMatchObject({ status: 'answered', content: text, effects: [] })
    expect(heard).toBe(text)
    expect(scripted.requests).toHaveLength(1)
  })

  it('is heard piece by piece as it is written, and exactly what is kept', async () => {
    scripted.setScript([saysSlowly(['第一', '句。第', '二 ', '\n', '句', '\n'], 20)])
    const pieces: string[] = []
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl), onText: (text) => pieces.push(text) })
    expect(pieces).toEqual(['第一', '句。第', '二', ' \n句'])
    expect(pieces.join('')).toBe(outcome.content)
  })

  it.each<[string, ScriptStep]>([
    ['in one document', saysAsJson('\n 好的。\n')],
    ['in halves of a character', saysSlowly(['好的', '\uD83D', '\uDC4B。'], 1)],
  ])('that arrives %s is heard as it is kept', async (_case, step) => {
    const { outcome, heard } = await play([step])
    expect(heard).toBe(outcome.content)
  })
})

describe('the effects of a turn', () => {
  it('are what the tools did, with their ids, and in the record of the call', async () => {
    const { outcome, recorded } = await play([create('买菜'), says('好的。')], [createTaskTool()])
    expect(outcome.effects).toEqual([created('买菜')])
    expect(recorded[0]?.result).toEqual({ success: true, title: '买菜', effects: [created('买菜')] })
    const told = scripted.requests.at(-1)?.body.messages.at(-1)?.content
    expect(told).toBe('{"success":true,"title":"买菜"}')
  })

  it('name what was refused', async () => {
    const { outcome } = await play([create('clash'), says('好的。')], [createTaskTool()])
    expect(outcome.effects).toEqual([{ did: 'refused', kind: 'task', id: null, summary: 'clash', reason: 'conflict' }])
  })

  it('do not name a refusal that a later call made up for', async () => {
    const { outcome } = await play([create('clash'), create('clash'), says('好的。')], [createTaskTool()])
    expect(outcome).toMatchObject({ content: '好的。', effects: [created('clash')] })
  })

  it('are told although the model failed afterwards', async () => {
    const { outcome } = await play([create('买菜'), cutsText('好')], [createTaskTool()])
    expect(outcome).toMatchObject({ status: 'failed', effects: [created('买菜')] })
  })
})

describe('a question of a tool', () => {
  it('is put after an answer that does not ask it, in the tool’s own words', async () => {
    const { outcome, heard } = await play([create('clash'), says('好的')], [createTaskTool()])
    expect(outcome).toMatchObject({
      content: '好的\n\n要换到什么时间？',
      type: 'question',
      payload: { code: 'conflict' },
    })
    expect(heard).toBe(outcome.content)
  })

  it('is not put twice when the model asks it in these words', async () => {
    const { outcome } = await play([create('clash'), says('有冲突。要换到什么时间？')], [createTaskTool()])
    expect(outcome.content).toBe('有冲突。要换到什么时间？')
    const told = scripted.requests.at(-1)?.body.messages.at(-1)?.content ?? ''
    expect(JSON.parse(told)).toMatchObject({ question: '要换到什么时间？' })
  })

  it('is still put when something else was done after it', async () => {
    const { outcome } = await play([create('clash'), create('买菜'), says('好的')], [createTaskTool()])
    expect(outcome).toMatchObject({ content: '好的\n\n要换到什么时间？', type: 'question' })
    expect(outcome.effects.map(({ did }) => did)).toEqual(['refused', 'created'])
  })

  it('takes the place of an earlier one of its name, and is read although the model failed', async () => {
    const both = callsAll([
      { id: 'a', name: 'delete_task', arguments: { text: '买菜' } },
      { id: 'b', name: 'delete_task', arguments: { text: '买菜”、“开会' } },
    ])
    const { outcome } = await play([both, cutsText('好')], [deleteTool()])
    expect(outcome).toMatchObject({ status: 'failed', type: 'question', payload: { code: 'need_confirmation' } })
    expect(outcome.content.match(/确定要删除/g)).toHaveLength(1)
    expect(outcome.content).toMatch(/确定要删除“买菜”、“开会”吗？$/)
  })

  it('is asked about each thing on its own', async () => {
    const { outcome } = await play([create('clash'), remove('开会'), says('嗯')], [createTaskTool(), deleteTool()])
    expect(outcome.content).toBe('嗯\n\n要换到什么时间？\n\n确定要删除“开会”吗？')
  })
})

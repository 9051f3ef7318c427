import type { Tool, ToolEffect } from '../../src/contracts/tool'
import { callsAll, calls, forever, says, saysAsJson, saysSlowly, startScriptedModel } from '../support/scripted-model'
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

const withEffects = (name: string, effects: ToolEffect[], execute?: Tool['execute']): Tool => ({
  ...createNoteTool(name, execute).tool,
  effects: () => effects,
})
const creates = () => withEffects('create_task', [{ does: 'create', to: 'task' }])
const refuses = () =>
  withEffects('create_task', [{ does: 'create', to: 'task' }], async () => ({
    ok: false,
    reason: 'conflict',
    hint: 'x',
  }))
const reads = () => withEffects('query_tasks', [])
const asks = () =>
  withEffects('delete_task', [{ does: 'delete', to: 'task' }], async () => ({
    ok: false,
    reason: 'need_confirmation',
    hint: 'x',
    answer: {
      type: 'question',
      payload: { code: 'need_confirmation' },
      mustAsk: { text: '确定要删除“买菜”吗？', about: ['买菜'] },
    },
  }))

async function play(script: ScriptStep[], tools: Tool[] = []) {
  scripted.setScript(script)
  const signal = new AbortController().signal
  const context = { session: SESSION, turnId: 't', fence: 1, origin: 'user' as const, language: 'zh' as const, signal }
  return runLoop({ model: modelAt(scripted.baseUrl), tools, context })
}
const call = (name: string) => calls(name, { text: 'x' })
const FALSE = '好的，已为您创建任务“买东西”。'

describe('a false claim', () => {
  it('is not heard: the model is told and mends its answer', async () => {
    const { outcome, heard } = await play([says(FALSE), says('请问是哪一天？')], [creates()])
    expect(outcome).toMatchObject({ status: 'answered', content: '请问是哪一天？', type: 'question', payload: null })
    expect(heard).toBe(outcome.content)
    const told = scripted.requests.at(-1)?.body.messages.slice(-2)
    expect(told).toMatchObject([
      { role: 'assistant', content: FALSE },
      { role: 'user', content: expect.stringContaining('Automatic check') as string },
    ])
  })

  it('becomes true when the model makes it so', async () => {
    const { outcome, heard } = await play([says(FALSE), call('create_task'), says(FALSE)], [creates()])
    expect(outcome.content).toBe(FALSE)
    expect(heard).toBe(FALSE)
    expect(outcome.toolCalls).toHaveLength(1)
  })

  it.each(['已为您删除任务。', FALSE, '好的，我会在明天9点提醒你。', 'I have deleted the task.', '任务已标记为完成。'])(
    'that the model insists on is replaced: %s',
    async (claim) => {
      const { outcome, heard } = await play([forever(says(claim))], [creates(), reads()])
      expect(scripted.requests).toHaveLength(2)
      expect(outcome.status).toBe('answered')
      expect(outcome.content).toMatch(/^抱歉，这件事还没有办成：这一次没有创建、修改、完成或删除任何内容/)
      expect(heard).toBe(outcome.content)
    },
  )

  it.each<[string, ScriptStep]>([
    ['slowly, a letter at a time', saysSlowly([...FALSE], 1)],
    ['as one document', saysAsJson(FALSE)],
    ['after a true sentence', says(`今天天气不错。${FALSE}`)],
    ['in another language', says("OK. I've created the task.")],
  ])('said %s does not slip through', async (_case, step) => {
    const { outcome, heard } = await play([step, says('还没有创建。')], [creates()])
    expect(heard).toBe(outcome.content)
    expect(heard).not.toMatch(/已为您|I've created/)
    expect(heard).toContain('还没有创建。')
  })

  it('before a call is dropped when the call fails, and kept when it succeeds', async () => {
    const early = callsAll([{ name: 'create_task', arguments: { text: 'x' } }], FALSE)
    const failed = await play([early, says('时间冲突，换个时间好吗？')], [refuses()])
    expect(failed.outcome.content).toBe('时间冲突，换个时间好吗？')
    expect(failed.heard).toBe(failed.outcome.content)
    const done = await play([early, says('还有别的吗？')], [creates()])
    expect(done.outcome.content).toBe(`${FALSE}\n\n还有别的吗？`)
    expect(done.heard).toBe(done.outcome.content)
  })

  it('is false although another tool succeeded', async () => {
    const told = await play([call('query_tasks'), forever(says('我已经帮您删除任务了。'))], [reads()])
    expect(told.outcome.content).toMatch(/^抱歉，这件事还没有办成/)
    const part = await play([call('create_task'), forever(says('已创建任务，提醒也设置好了。'))], [creates()])
    expect(part.outcome.content).toMatch(/^抱歉，只有一部分办成了/)
    expect(part.heard).toBe(part.outcome.content)
  })
})

describe('an honest answer', () => {
  it.each(['已为您查询到2个任务。', '我可以帮你创建任务。', '要创建吗？', '“已创建”是什么意思？'])(
    'is heard at once: %s',
    async (text) => {
      const { outcome, heard } = await play([says(text)], [creates()])
      expect(outcome.content).toBe(text)
      expect(heard).toBe(text)
      expect(scripted.requests).toHaveLength(1)
    },
  )

  it('is heard sentence by sentence while the model still speaks', async () => {
    scripted.setScript([saysSlowly(['第一句。', '第二', '句。', '还有'], 30)])
    const pieces: string[] = []
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [creates()], onText: (text) => pieces.push(text) })
    expect(pieces).toEqual(['第一句。', '第二句。', '还有'])
  })

  it('may rest on a tool of which nobody knows what it does', async () => {
    const { outcome } = await play([call('take_note'), says('已添加任务。')], [createNoteTool().tool])
    expect(outcome.content).toBe('已添加任务。')
  })
})

describe('a question that must be read', () => {
  it('is put after an answer that does not ask it', async () => {
    const { outcome, heard } = await play([call('delete_task'), says('好的，请稍等。')], [asks()])
    expect(outcome).toMatchObject({
      content: '好的，请稍等。\n\n确定要删除“买菜”吗？',
      type: 'question',
      payload: { code: 'need_confirmation' },
    })
    expect(heard).toBe(outcome.content)
  })

  it('is not put twice, and not pushed aside by a later call', async () => {
    const asked = await play([call('delete_task'), says('要删除买菜吗？')], [asks()])
    expect(asked.outcome.content).toBe('要删除买菜吗？')
    const aside = await play([call('delete_task'), call('query_tasks'), says('您有2个任务。')], [asks(), reads()])
    expect(aside.outcome).toMatchObject({ content: '您有2个任务。\n\n确定要删除“买菜”吗？', type: 'question' })
  })
})

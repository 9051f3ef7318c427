import { TurnLostError } from '../../src/errors'
import { calls, callsAll, forever, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { createNoteTool, modelAt, runLoop, SESSION } from './planner-fixture'

let scripted: ScriptedModel
beforeAll(async () => {
  scripted = await startScriptedModel()
})
beforeEach(() => {
  scripted.requests.length = 0
})
afterAll(() => scripted.close())

const lastMessages = () => scripted.requests.at(-1)?.body.messages ?? []
const toolMessages = () =>
  lastMessages()
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content ?? '') as Record<string, unknown>)

describe('the planner loop', () => {
  it('answers with the text of the model, as it is written', async () => {
    scripted.setScript([says('Good morning, Ada. 早上好👋')])
    const { outcome, heard } = await runLoop({ model: modelAt(scripted.baseUrl) })
    expect(outcome).toEqual({
      status: 'answered',
      content: 'Good morning, Ada. 早上好👋',
      type: 'text',
      payload: null,
      toolCalls: [],
      effects: [],
    })
    expect(heard).toBe(outcome.content)
    expect(lastMessages().map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('runs a tool with the authority of the session and hands its result back', async () => {
    scripted.setScript([calls('take_note', { text: 'tea' }, 'c1'), says('Noted.')])
    const note = createNoteTool()
    const { outcome, recorded } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(note.calls).toHaveLength(1)
    expect(note.calls[0]?.context).toMatchObject({ session: SESSION, toolCallId: 'c1', turnId: 'turn-1', fence: 7 })
    expect(outcome).toMatchObject({ status: 'answered', content: 'Noted.' })
    expect(outcome.toolCalls).toEqual([
      { id: 'c1', name: 'take_note', arguments: { text: 'tea' }, result: { success: true, noted: 'tea' } },
    ])
    expect(recorded).toEqual([{ ...outcome.toolCalls[0], round: 1 }])
    expect(toolMessages()).toEqual([{ success: true, noted: 'tea' }])
  })

  it('offers its tools in the same order whatever order they came in, and not those that are not for this session', async () => {
    const hidden = { ...createNoteTool('hidden').tool, isOffered: () => false }
    const [a, b, c] = ['b_tool', 'a_tool', 'c_tool'].map((name) => createNoteTool(name).tool)
    scripted.setScript([says('ok'), says('ok')])
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [a!, hidden, b!, c!] })
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [c!, b!, a!, hidden] })
    const offered = scripted.requests.map(({ body }) => body.tools?.map((tool) => tool.function.name))
    expect(offered).toEqual([
      ['a_tool', 'b_tool', 'c_tool'],
      ['a_tool', 'b_tool', 'c_tool'],
    ])
  })

  it('keeps what was said before a tool call, and streams exactly what it keeps', async () => {
    scripted.setScript([callsAll([{ name: 'take_note', arguments: { text: 'x' } }], 'One moment.'), says('Done.')])
    const { outcome, heard } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [createNoteTool().tool] })
    expect(outcome.content).toBe('One moment.\n\nDone.')
    expect(heard).toBe(outcome.content)
  })

  it('gives the answer the type and payload of the last tool result', async () => {
    const payload = { tasks: [1] }
    const summary = createNoteTool('sum', async () => ({
      ok: true,
      data: {},
      answer: { type: 'task_summary', payload },
    }))
    scripted.setScript([calls('sum', { text: 'x' }), says('Here they are.')])
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [summary.tool] })
    expect(outcome).toMatchObject({ type: 'task_summary', payload, content: 'Here they are.' })
  })

  it('tells the model why a tool refused', async () => {
    const refusing = createNoteTool('take_note', async () => ({
      ok: false,
      code: 'invalid_time',
      hint: 'That is past.',
      data: { now: '09:00' },
    }))
    scripted.setScript([calls('take_note', { text: 'x' }), says('It is past.')])
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [refusing.tool] })
    expect(toolMessages()).toEqual([{ success: false, reason: 'invalid_time', hint: 'That is past.', now: '09:00' }])
  })

  it('hides what went wrong inside a tool from the model and tells the log', async () => {
    const broken = createNoteTool('take_note', async () => {
      throw new Error('password=hunter2 in pool.ts')
    })
    scripted.setScript([calls('take_note', { text: 'x' }), says('Sorry.')])
    const { outcome, faults } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [broken.tool] })
    expect(outcome.status).toBe('answered')
    expect(toolMessages()[0]).toMatchObject({ success: false, reason: 'internal_error' })
    expect(JSON.stringify(lastMessages())).not.toContain('hunter2')
    expect(faults).toHaveLength(1)
  })

  it('ends by throwing when the turn was taken away', async () => {
    const lost = createNoteTool('take_note', async () => {
      throw new TurnLostError('turn-1')
    })
    scripted.setScript([calls('take_note', { text: 'x' }), says('never')])
    await expect(runLoop({ model: modelAt(scripted.baseUrl), tools: [lost.tool] })).rejects.toBeInstanceOf(
      TurnLostError,
    )
    expect(scripted.requests).toHaveLength(1)
  })

  it('stops an endless caller at round 10 with a visible closing message', async () => {
    scripted.setScript([forever(calls('take_note', { text: 'again' }))])
    const note = createNoteTool()
    const { outcome, heard } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(scripted.requests).toHaveLength(10)
    expect(note.calls).toHaveLength(9)
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'too_many_rounds', type: 'text' })
    expect(outcome.content).toMatch(/too many steps.*still stands/)
    expect(heard).toBe(outcome.content)
  })

  it('closes an empty answer visibly, in the language of the session', async () => {
    scripted.setScript([says('  ')])
    const signal = new AbortController().signal
    const { outcome } = await runLoop({
      model: modelAt(scripted.baseUrl),
      context: { session: SESSION, turnId: 't', fence: 1, origin: 'user', language: 'zh', signal },
    })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'model_empty_answer' })
    expect(outcome.content).toContain('抱歉')
  })

  it('cuts a very large result and says so', async () => {
    const large = createNoteTool('take_note', async () => ({ ok: true, data: { text: '😀'.repeat(20_000) } }))
    scripted.setScript([calls('take_note', { text: 'x' }), says('ok')])
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [large.tool] })
    const content = lastMessages().at(-1)?.content ?? ''
    expect(content.length).toBeLessThan(17_000)
    expect(content).toContain('[cut here: 40')
  })
})

import type { Tool } from '../../src/contracts/tool'
import { calls, callsAll, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { createNoteTool, modelAt, runLoop } from './planner-fixture'

let scripted: ScriptedModel
beforeAll(async () => {
  scripted = await startScriptedModel()
})
beforeEach(() => {
  scripted.requests.length = 0
})
afterAll(() => scripted.close())

const results = () =>
  (scripted.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content ?? '') as { success: boolean; reason?: string; hint?: string })

describe('calls a model got wrong', () => {
  it.each([
    ['no JSON', '{"text": "te', 'bad_arguments', /could not be read/],
    ['no object', '["tea"]', 'bad_arguments', /not a JSON object/],
    ['a wrong type', '{"text": 5}', 'bad_arguments', /text must be string/],
    ['a missing field', '{}', 'bad_arguments', /must have required property 'text'/],
    ['no arguments at all', '', 'bad_arguments', /must have required property 'text'/],
    ['an extra key', '{"text": "a", "bot": "b"}', 'bad_arguments', /additional properties \(bot\)/],
    ['a poisoned prototype', '{"text": "a", "__proto__": {"admin": true}}', 'bad_arguments', /forbidden prototype/],
    ['a poisoned constructor', '{"constructor": {"prototype": {"admin": 1}}}', 'bad_arguments', /forbidden prototype/],
    [
      'nesting without end',
      '{"text":' + '['.repeat(9_000) + ']'.repeat(9_000) + '}',
      'bad_arguments',
      /nested too deeply/,
    ],
    ['a novel', JSON.stringify({ text: 'x'.repeat(70_000) }), 'bad_arguments', /longer than 64000/],
  ])('answers %s with an error result, and runs nothing', async (_case, args, reason, hint) => {
    scripted.setScript([calls('take_note', args), says('I see.')])
    const note = createNoteTool()
    const { outcome, recorded } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(note.calls).toHaveLength(0)
    expect(outcome).toMatchObject({ status: 'answered', content: 'I see.' })
    expect(results()[0]).toMatchObject({ success: false, reason })
    expect(results()[0]?.hint).toMatch(hint)
    expect(recorded[0]?.result).toMatchObject({ success: false, reason })
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  it('names the missing tool and the tools there are', async () => {
    scripted.setScript([calls('send_rocket', {}), says('No rockets.')])
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [createNoteTool().tool] })
    expect(results()[0]).toMatchObject({
      success: false,
      reason: 'unknown_tool',
      missing_tool: 'send_rocket',
      available_tools: ['take_note'],
    })
  })

  it.each<[string, Partial<Tool>, string]>([
    ['is not for this conversation', { isOffered: () => false }, 'unknown_tool'],
    [
      'says why it is not',
      { isOffered: () => false, whyNot: () => ({ code: 'not_private', hint: 'In private only.' }) },
      'not_private',
    ],
    ['nothing has revealed', { deferred: true }, 'unknown_tool'],
  ])('does not run a tool that %s, however often it is called', async (_case, change, reason) => {
    scripted.setScript([...Array.from({ length: 9 }, () => calls('hidden', { text: 'x' })), says('No.')])
    const hidden = createNoteTool('hidden')
    const tools = [{ ...hidden.tool, ...change }, createNoteTool().tool]
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl), tools })
    expect(hidden.calls).toHaveLength(0)
    expect(results()).toHaveLength(9)
    expect(results()[0]).toMatchObject({ success: false, reason, available_tools: ['take_note'] })
    expect(outcome.effects).toEqual([])
  })

  it('runs 8 of 200 calls and answers the others with an error', async () => {
    const many = Array.from({ length: 200 }, (_, at) => ({ name: 'take_note', arguments: { text: `n${at}` } }))
    scripted.setScript([callsAll(many), says('ok')])
    const note = createNoteTool()
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(note.calls.map(({ args }) => args['text'])).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'])
    expect(outcome.toolCalls).toHaveLength(8)
    expect(results()).toHaveLength(200)
    expect(results().filter(({ reason }) => reason === 'too_many_calls')).toHaveLength(192)
  })

  it('runs a repeated id once, in a round and over rounds', async () => {
    const twice = { id: 'same', name: 'take_note', arguments: { text: 'a' } }
    scripted.setScript([callsAll([twice, twice]), callsAll([twice]), says('ok')])
    const note = createNoteTool()
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(note.calls).toHaveLength(1)
    expect(outcome.toolCalls).toHaveLength(1)
    expect(results()).toEqual([
      { success: true, noted: 'a' },
      { success: true, noted: 'a' },
    ])
  })

  it('runs another call although the server counted its ids anew', async () => {
    scripted.setScript([
      calls('take_note', { text: 'a' }, 'call_0'),
      calls('take_note', { text: 'b' }, 'call_0'),
      says('ok'),
    ])
    const note = createNoteTool()
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(note.calls.map(({ args }) => args['text'])).toEqual(['a', 'b'])
    expect(new Set(outcome.toolCalls.map(({ id }) => id)).size).toBe(2)
  })

  it('does not make a call that this turn made in another process', async () => {
    scripted.setScript([calls('take_note', { text: 'a' }, 'c1'), says('ok')])
    const note = createNoteTool()
    const recorder = { started: async () => 'repeated' as const, ended: async () => {} }
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool], recorder })
    expect(note.calls).toHaveLength(0)
    expect(results()[0]).toMatchObject({ success: false, reason: 'already_called' })
  })

  it('hands tools text that can be stored: no NUL, no half characters', async () => {
    scripted.setScript([calls('take_note', '{"text": "a\\u0000b\\ud83d"}'), says('ok')])
    const note = createNoteTool()
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(note.calls[0]?.args).toEqual({ text: 'ab\uFFFD' })
  })

  it('sends back arguments that every server can read', async () => {
    scripted.setScript([calls('take_note', '{"text": '), says('ok')])
    await runLoop({ model: modelAt(scripted.baseUrl), tools: [createNoteTool().tool] })
    const assistant = scripted.requests.at(-1)?.body.messages.find(({ role }) => role === 'assistant')
    expect(assistant?.tool_calls?.[0]?.function.arguments).toBe('{}')
  })
})

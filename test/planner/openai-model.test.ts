import type { ToolDefinition } from '../../src/contracts/tool'
import type { ModelRequest } from '../../src/planner/model'
import { chooseModel } from '../../src/planner/model-names'
import { fails, says, sendsChunks, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { modelAt } from './planner-fixture'

let scripted: ScriptedModel
beforeAll(async () => {
  scripted = await startScriptedModel()
})
beforeEach(() => {
  scripted.requests.length = 0
})
afterAll(() => scripted.close())

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  signal: new AbortController().signal,
  ...more,
})
const chunk = (delta: object, finishReason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finishReason }],
})
const callDelta = (call: object) => chunk({ tool_calls: [call] })
const completeWith = (chunks: unknown[]) => {
  scripted.setScript([sendsChunks(chunks)])
  return modelAt(scripted.baseUrl).complete(request())
}

describe('the model behind the openai client', () => {
  it('asks for the first model the server offers when none is named, and remembers it', async () => {
    scripted.setScript([says('a'), says('b')])
    const model = modelAt(scripted.baseUrl, { name: undefined })
    expect(model.name).toBe('auto')
    await model.complete(request())
    await model.complete(request())
    expect(scripted.requests.map(({ body }) => body.model)).toEqual(['scripted-model', 'scripted-model'])
    expect(model.name).toBe('scripted-model')
  })

  it('asks for another model when the request names one', async () => {
    scripted.setScript([says('a')])
    await modelAt(scripted.baseUrl).complete(request({ modelName: 'other' }))
    expect(scripted.requests[0]?.body.model).toBe('other')
  })

  it.each([
    [['whisper-1', 'text-embedding-3-small', 'qwen3'], 'qwen3'],
    [['gpt-4', 'gpt-4o-mini'], 'gpt-4o-mini'],
    [[], 'gpt-4o-mini'],
  ])('chooses of %j the model %s', (offered, expected) => {
    expect(chooseModel(offered)).toBe(expected)
  })

  it('sends the key, streams, and leaves an empty list of tools out', async () => {
    scripted.setScript([says('a'), says('b')])
    const tool: ToolDefinition = { name: 't', description: 'd', parameters: { type: 'object', properties: {} } }
    await modelAt(scripted.baseUrl, { apiKey: 'sk-1' }).complete(request())
    await modelAt(scripted.baseUrl, { apiKey: undefined }).complete(request({ tools: [tool] }))
    expect(scripted.requests[0]?.headers.authorization).toBe('Bearer sk-1')
    expect(scripted.requests[0]?.body).toMatchObject({ stream: true })
    expect(scripted.requests[0]?.body).not.toHaveProperty('tools')
    expect(scripted.requests[1]?.body.tools).toHaveLength(1)
  })

  it('does not ask again after the person has seen text', async () => {
    const broken = { error: { message: 'overloaded', type: 'server_error' } }
    scripted.setScript([sendsChunks([chunk({ content: 'Half' }), broken]), says('never')])
    await expect(modelAt(scripted.baseUrl).complete(request())).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(scripted.requests).toHaveLength(1)
  })

  it('asks again after an error inside a stream that showed nothing', async () => {
    scripted.setScript([sendsChunks([{ error: { message: 'overloaded' } }]), says('ok')])
    await expect(modelAt(scripted.baseUrl).complete(request())).resolves.toMatchObject({ content: 'ok' })
  })

  it('reports an answer that is no JSON', async () => {
    scripted.setScript([fails(200, { 'content-type': 'application/json' }, { hello: 1 })])
    await expect(modelAt(scripted.baseUrl).complete(request())).rejects.toMatchObject({ code: 'model_bad_answer' })
  })
})

describe('tool calls as servers send them', () => {
  const fn = (name: string, args: unknown) => ({ name, arguments: args })
  const end = chunk({}, 'tool_calls')

  it('puts pieces together by index', async () => {
    const { toolCalls } = await completeWith([
      callDelta({ index: 0, id: 'a', function: fn('one', '{"x"') }),
      callDelta({ index: 1, id: 'b', function: fn('two', '{') }),
      callDelta({ index: 0, function: { arguments: ':1}' } }),
      callDelta({ index: 1, function: { arguments: '}' } }),
      end,
    ])
    expect(toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ])
  })

  it.each([
    ['the same index with other ids', { index: 0, id: 'a' }, { index: 0, id: 'b' }],
    ['no index', { id: 'a' }, { id: 'b' }],
    ['neither ids nor another index', { index: 0 }, { index: 0 }],
    ['nothing at all', {}, {}],
  ])('tells whole calls apart that come with %s', async (_case, first, second) => {
    const { toolCalls } = await completeWith([
      callDelta({ ...first, function: fn('one', '{"x":1}') }),
      callDelta({ ...second, function: fn('two', '{"y":2}') }),
      end,
    ])
    expect(toolCalls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['one', '{"x":1}'],
      ['two', '{"y":2}'],
    ])
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2)
    expect(toolCalls.every(({ id }) => id.length > 0)).toBe(true)
  })

  it('reads a name and an id that are repeated with every piece', async () => {
    const piece = (args: string) => callDelta({ index: 0, id: 'a', function: fn('one', args) })
    const { toolCalls } = await completeWith([piece('{"x"'), piece(':'), piece('1}'), piece(''), end])
    expect(toolCalls).toEqual([{ id: 'a', name: 'one', arguments: '{"x":1}' }])
  })

  it('reads arguments that are an object and not text', async () => {
    const { toolCalls } = await completeWith([callDelta({ index: 0, function: fn('one', { x: 1 }) }), end])
    expect(toolCalls[0]).toMatchObject({ name: 'one', arguments: '{"x":1}' })
  })

  it('makes an id where one could not be stored, and a name others accept', async () => {
    const { toolCalls } = await completeWith([
      callDelta({ index: 0, id: 'x'.repeat(300), function: fn('fire rocket\n!', '{}') }),
      end,
    ])
    expect(toolCalls[0]?.id).toMatch(/^call_[0-9a-f]{32}$/)
    expect(toolCalls[0]?.name).toBe('fire_rocket__')
  })

  it('uses nothing of calls that the length limit cut', async () => {
    const calls = [callDelta({ index: 0, id: 'a', function: fn('one', '{"x"') }), chunk({}, 'length')]
    await expect(completeWith(calls)).rejects.toMatchObject({ code: 'model_cut_off' })
  })
})

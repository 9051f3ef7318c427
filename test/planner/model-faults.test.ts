import { ModelError } from '../../src/planner/model'
import { readRetryAfter, retryDelayMs } from '../../src/planner/model-faults'
import {
  calls,
  cutsArguments,
  cutsText,
  fails,
  forever,
  hangs,
  says,
  saysAsJson,
  saysSlowly,
  startScriptedModel,
} from '../support/scripted-model'
import type { ScriptedModel, ScriptStep } from '../support/scripted-model'
import { createNoteTool, modelAt, runLoop } from './planner-fixture'

let scripted: ScriptedModel
beforeAll(async () => {
  scripted = await startScriptedModel()
})
beforeEach(() => {
  scripted.requests.length = 0
})
afterAll(() => scripted.close())

const soon = { 'retry-after-ms': '10' }

describe('a model that fails', () => {
  it('is asked again until it answers: one answer, at most 4 calls', async () => {
    scripted.setScript([fails(429, soon), fails(500, soon), fails(503, soon), says('Here I am.')])
    const { outcome, heard } = await runLoop({ model: modelAt(scripted.baseUrl) })
    expect(outcome).toMatchObject({ status: 'answered', content: 'Here I am.' })
    expect(heard).toBe('Here I am.')
    expect(scripted.requests).toHaveLength(4)
  })

  it('is waited for as long as Retry-After says', async () => {
    scripted.setScript([fails(429, { 'retry-after': '1' }), says('Thanks for waiting.')])
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl) })
    expect(outcome.status).toBe('answered')
    const [first, second] = scripted.requests
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990)
  })

  it.each<[string, ScriptStep, number, string]>([
    ['is busy for good', forever(fails(429, soon)), 4, 'model_rate_limited'],
    ['is broken for good', forever(fails(500, soon)), 4, 'model_unavailable'],
    ['wants an hour of patience', forever(fails(429, { 'retry-after': '3600' })), 1, 'model_rate_limited'],
    [
      'has spent its quota',
      forever(fails(429, soon, { error: { code: 'insufficient_quota' } })),
      1,
      'model_rate_limited',
    ],
    ['refuses the key', forever(fails(401)), 1, 'model_rejected'],
    ['refuses the request', forever(fails(400)), 1, 'model_rejected'],
  ])('closes the turn when it %s', async (_case, step, requests, code) => {
    scripted.setScript([step])
    const { outcome, heard, faults } = await runLoop({ model: modelAt(scripted.baseUrl) })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: code, type: 'text', payload: null })
    expect(outcome.content).toMatch(/^Sorry/)
    expect(heard).toBe(outcome.content)
    expect(scripted.requests).toHaveLength(requests)
    expect(faults[0]).toBeInstanceOf(ModelError)
  })

  it('closes the turn when nobody listens at its address', async () => {
    const { outcome } = await runLoop({ model: modelAt('http://127.0.0.1:9/v1', { maxRetries: 1 }) })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'model_unavailable' })
  })
})

describe('a model that hangs or breaks off', () => {
  it.each<[string, ScriptStep]>([
    ['without a byte', hangs('request')],
    ['after the headers', hangs('headers')],
    ['in the middle of its text', hangs('text', 'Let me')],
  ])('is given up when it falls silent %s', async (_case, step) => {
    scripted.setScript([step, says('never asked')])
    const began = Date.now()
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl, { idleTimeoutMs: 150 }) })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'model_timeout' })
    expect(outcome.content).toMatch(/^Sorry, the answer took too long/)
    expect(Date.now() - began).toBeLessThan(5_000)
    expect(scripted.requests).toHaveLength(1)
  })

  it('is not given up while it is only slow', async () => {
    scripted.setScript([saysSlowly(['one ', 'two ', 'three ', 'four ', 'five ', 'six'], 300)])
    const { outcome } = await runLoop({ model: modelAt(scripted.baseUrl, { idleTimeoutMs: 1_500 }) })
    expect(outcome).toMatchObject({ status: 'answered', content: 'one two three four five six' })
  })

  it.each([true, false])('leaves no half sentence behind (connection ended properly: %s)', async (graceful) => {
    scripted.setScript([cutsText('I have set your rem', graceful), says('never asked')])
    const { outcome, heard } = await runLoop({ model: modelAt(scripted.baseUrl) })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'model_cut_off' })
    expect(outcome.content).not.toContain('I have set')
    // It was heard as it came; what stays begins a paragraph of its own.
    expect(heard).toBe(`I have set your rem\n\n${outcome.content}`)
    expect(scripted.requests).toHaveLength(1)
  })

  it.each([true, false])('runs no tool from cut arguments (connection ended properly: %s)', async (graceful) => {
    scripted.setScript([cutsArguments({ name: 'take_note', arguments: { text: 'tea', times: 1 } }, graceful)])
    const note = createNoteTool()
    const { outcome, recorded } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'model_cut_off' })
    expect(note.calls).toHaveLength(0)
    expect(recorded).toHaveLength(0)
  })

  it('says that what was done stands, when it fails after a tool', async () => {
    scripted.setScript([calls('take_note', { text: 'tea' }), hangs()])
    const model = modelAt(scripted.baseUrl, { idleTimeoutMs: 1_000 })
    const { outcome } = await runLoop({ model, tools: [createNoteTool().tool] })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'model_timeout' })
    expect(outcome.content).toContain('still stands')
    expect(outcome.toolCalls).toHaveLength(1)
  })

  it('answers although the server ignores `stream`', async () => {
    scripted.setScript([saysAsJson('', [{ name: 'take_note', arguments: { text: 'a' } }]), saysAsJson('Whole.')])
    const note = createNoteTool()
    const { outcome, heard } = await runLoop({ model: modelAt(scripted.baseUrl), tools: [note.tool] })
    expect(outcome).toMatchObject({ status: 'answered', content: 'Whole.' })
    expect(heard).toBe('Whole.')
    expect(note.calls).toHaveLength(1)
  })
})

describe('an abort', () => {
  it.each<[string, ScriptStep]>([
    ['while the model is silent', hangs('request')],
    ['while the model speaks', hangs('text', 'Let me')],
    ['while it waits to ask again', forever(fails(429, { 'retry-after': '20' }))],
  ])('ends the loop at once %s', async (_case, step) => {
    scripted.setScript([step])
    const controller = new AbortController()
    const gone = new Error('the turn was taken')
    setTimeout(() => controller.abort(gone), 100)
    const began = Date.now()
    const model = modelAt(scripted.baseUrl, { idleTimeoutMs: 10_000 })
    await expect(runLoop({ model, signal: controller.signal })).rejects.toBe(gone)
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  it('does not wait for a tool that does not listen', async () => {
    scripted.setScript([calls('take_note', { text: 'x' })])
    const controller = new AbortController()
    const deaf = createNoteTool('take_note', () => {
      setTimeout(() => controller.abort(new Error('gone')), 20)
      return new Promise(() => {})
    })
    const run = runLoop({ model: modelAt(scripted.baseUrl), tools: [deaf.tool], signal: controller.signal })
    await expect(run).rejects.toThrow('gone')
  })

  it("closes the turn visibly when it was the turn's own time that ended", async () => {
    scripted.setScript([hangs('request')])
    const model = modelAt(scripted.baseUrl, { idleTimeoutMs: 10_000 })
    const { outcome } = await runLoop({ model, signal: AbortSignal.timeout(150) })
    expect(outcome).toMatchObject({ status: 'failed', errorCode: 'turn_timeout' })
    expect(outcome.content).toMatch(/took too long/)
  })
})

describe('the wait before asking again', () => {
  const fault = { error: new ModelError('model_unavailable', 'x'), retryable: true, retryAfterMs: undefined }

  it('doubles, with jitter, and is bounded', () => {
    expect([0, 1, 2, 10].map((attempt) => retryDelayMs(fault, attempt, () => 1))).toEqual([500, 1000, 2000, 8000])
    expect(retryDelayMs(fault, 0, () => 0)).toBe(250)
  })

  it('reads seconds, milliseconds and dates', () => {
    const now = Date.parse('2026-11-17T00:00:00Z')
    expect(readRetryAfter(new Headers({ 'retry-after': '5' }))).toBe(5000)
    expect(readRetryAfter(new Headers({ 'retry-after-ms': '70' }))).toBe(70)
    expect(readRetryAfter(new Headers({ 'retry-after': 'Tue, 17 Nov 2026 00:00:09 GMT' }), now)).toBe(9000)
    expect(readRetryAfter(new Headers({ 'retry-after': 'soon' }))).toBeUndefined()
    expect(readRetryAfter(undefined)).toBeUndefined()
  })
})

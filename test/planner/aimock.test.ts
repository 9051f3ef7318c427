import { LLMock } from '@copilotkit/aimock'
import { createNoteTool, modelAt, runLoop } from './planner-fixture'

/** An OpenAI-compatible server written by others, reached by its base URL alone. */
describe('another OpenAI-compatible server', () => {
  const mock = new LLMock({ port: 0 })
  beforeAll(() => mock.start())
  afterAll(() => mock.stop())

  it('answers through the same client', async () => {
    mock.onMessage('hello', { content: '你好, from another server' })
    const model = modelAt(`${mock.url}/v1`, { name: undefined, idleTimeoutMs: 5_000 })
    const { outcome, heard } = await runLoop({ model })
    expect(outcome).toMatchObject({ status: 'answered', content: '你好, from another server' })
    expect(heard).toBe(outcome.content)
  })

  it('calls tools and reads their results', async () => {
    mock.on(
      { userMessage: 'note this', hasToolResult: false },
      { toolCalls: [{ name: 'take_note', arguments: JSON.stringify({ text: 'tea' }) }] },
    )
    mock.on({ userMessage: 'note this', hasToolResult: true }, { content: 'Noted.' })
    const note = createNoteTool()
    const { outcome } = await runLoop({
      model: modelAt(`${mock.url}/v1`, { idleTimeoutMs: 5_000 }),
      tools: [note.tool],
      history: [{ role: 'user', content: 'note this' }],
    })
    expect(outcome).toMatchObject({ status: 'answered', content: 'Noted.' })
    expect(note.calls.map(({ args }) => args)).toEqual([{ text: 'tea' }])
  })
})

import { getPipeline, listPipelines, toolsOf } from '../../src/planner/pipelines'
import { buildSystemPrompt } from '../../src/planner/system-prompt'
import { createNoteTool, SESSION } from './planner-fixture'

const TASK_TOOLS = ['create_task', 'query_tasks', 'update_task', 'delete_task', 'complete_task']
const now = new Date('2026-11-17T01:30:05Z')

describe('pipelines', () => {
  it('ship two: everything, and tasks alone', () => {
    expect(listPipelines().map(({ uuid }) => uuid)).toEqual(['assistant', 'tasks'])
    const tools = ['take_note', ...TASK_TOOLS].map((name) => createNoteTool(name).tool)
    const names = (uuid: string) => toolsOf(getPipeline(uuid), tools).map(({ name }) => name)
    expect(names('assistant')).toEqual(['take_note', ...TASK_TOOLS])
    expect(names('tasks')).toEqual(TASK_TOOLS)
  })

  it.each(['nothing', '__proto__', '../assistant'])('refuse the unknown id %s and say which there are', (uuid) => {
    const expected = { code: 'unknown_pipeline', status: 400, hint: 'The pipelines there are: assistant, tasks.' }
    expect(thrownBy(() => getPipeline(uuid))).toMatchObject(expected)
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('the system prompt', () => {
  it('tells the local time, the weekday and the zone of the session', () => {
    const prompt = buildSystemPrompt(getPipeline('assistant'), {
      now,
      zone: 'America/New_York',
      language: 'en',
      session: SESSION,
    })
    expect(prompt).toContain('Now: 2026-11-16 20:30:05 -05:00 (Monday)\nTime zone: America/New_York\nLanguage: en')
    expect(prompt).toContain('Conversation: private')
    expect(prompt).not.toContain('{{')
  })

  it('of tasks speaks Chinese whatever the session speaks', () => {
    const circumstances = { now, zone: 'Asia/Shanghai', language: 'en' as const, session: SESSION }
    const prompt = buildSystemPrompt(getPipeline('tasks'), circumstances)
    expect(prompt).toContain('Now: 2026-11-17 09:30:05 +08:00 (星期二)')
    expect(prompt).toContain('Language: zh')
    expect(prompt).toContain('只用中文回复')
  })

  it('carries the overlays of its pipeline', () => {
    const pipeline = {
      ...getPipeline('assistant'),
      overlays: { global: 'Speak like {{botName}}.', assistant: 'Be kind.' },
    }
    const prompt = buildSystemPrompt(pipeline, {
      now,
      zone: 'UTC',
      language: 'zh',
      session: SESSION,
      botName: '小准 {{now}}',
    })
    expect(prompt.endsWith('Speak like 小准 {{now}}.\n\nBe kind.')).toBe(true)
  })

  it('is not built in a zone that does not exist', () => {
    const circumstances = { now, zone: 'Mars/Olympus', language: 'en' as const, session: SESSION }
    expect(() => buildSystemPrompt(getPipeline('assistant'), circumstances)).toThrow('Mars/Olympus')
  })
})

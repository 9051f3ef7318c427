import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { AppError } from '../../src/errors'
import { composeSystem, loadPrompt, renderTemplate } from '../../src/planner/prompts'

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as AppError).code
  }
}

describe('prompts', () => {
  it('all load, and are named after their file', () => {
    const files = readdirSync(path.join(__dirname, '../../src/planner/prompts'))
    const ids = files.map((file) => loadPrompt(path.basename(file, '.json')).id)
    expect(ids.sort()).toEqual([
      ...['assistant', 'automation_turn', 'complete_arguments', 'evaluate_response', 'memory_summary'],
      ...['run_result', 'schedule_progress', 'tasks'],
    ])
  })

  it.each(['assistant', 'tasks'])('%s carries the clock and leaves the arithmetic to the tools', (name) => {
    const { system } = loadPrompt(name)
    for (const variable of ['now', 'weekday', 'timezone']) expect(system).toContain(`{{${variable}}}`)
    expect(system).toMatch(/Never compute a time|不要自己推算/)
    expect(system).toMatch(/only after the tool|只有工具返回/)
  })

  it('schedule_progress is a whole request with the variables of a step', () => {
    const { system, user } = loadPrompt('schedule_progress')
    const rendered = renderTemplate(user ?? '', {
      ...{ language: 'Chinese', aiName: 'local__image_draw', work: '画图; prompt: 猫' },
      ...{ reason: '画一只猫', delaySeconds: 120 },
    })
    expect(rendered).toContain('画一只猫')
    expect(rendered).toContain('120')
    expect(() => renderTemplate(system, {})).not.toThrow()
  })

  it.each(['../errors', 'assistant/../tasks', 'Assistant', '', 'a\0b', 'constructor', '__proto__', 'nothing_here'])(
    'refuses the name %j',
    (name) => {
      expect(codeOf(() => loadPrompt(name))).toBe('unknown_prompt')
    },
  )
})

describe('overlays', () => {
  const prompt = { id: 'p', version: 1, system: 'Base.' }

  it('are laid over the prompt in a fixed order: global, then its own', () => {
    const overlays = { p: 'Own.', global: 'Global.', other: 'Other.' }
    expect(composeSystem(prompt, overlays, 'p')).toBe('Base.\n\nGlobal.\n\nOwn.')
  })

  it('may be absent, empty or inherited', () => {
    expect(composeSystem(prompt, undefined, 'p')).toBe('Base.')
    expect(composeSystem(prompt, { global: '  ' }, 'p')).toBe('Base.')
    expect(composeSystem(prompt, {}, 'constructor')).toBe('Base.')
    expect(composeSystem(prompt, { global: 'Once.' }, 'global')).toBe('Base.\n\nOnce.')
  })
})

describe('templates', () => {
  it('fill in their variables, and nothing in the values', () => {
    const values = { a: '{{b}} $& $1 ${process.exit()}', b: 2 }
    expect(renderTemplate('{{a}} and {{ b }}', values)).toBe('{{b}} $& $1 ${process.exit()} and 2')
  })

  it.each(['{{missing}}', '{{constructor}}', '{{toString}}', '{{__proto__}}'])(
    'say which variable %s lacks',
    (text) => {
      expect(() => renderTemplate(text, { present: 1 })).toThrow(text.slice(2, -2))
      expect(codeOf(() => renderTemplate(text, {}))).toBe('missing_variable')
    },
  )

  it('leave other braces alone', () => {
    expect(renderTemplate('{"a": {1}} {{ }} {{a.b}}', {})).toBe('{"a": {1}} {{ }} {{a.b}}')
  })
})

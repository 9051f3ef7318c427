import { Readable } from 'node:stream'
import { runTimeCommand } from '../../src/time/command'

let isTime = false
async function run(argv: string[], input = ''): Promise<string> {
  let written = ''
  const stdout = { write: (text: string) => (written += text) }
  const now = new Date('2025-10-30T15:00:00+08:00')
  isTime = await runTimeCommand(argv, { stdin: Readable.from([input]), stdout, zone: 'Asia/Shanghai', now })
  return written
}

describe('the time command', () => {
  it('answers a line of JSON with a line of JSON', async () => {
    const question = { reference: '2025-10-30T15:00:00+08:00', tz: 'Asia/Shanghai', lang: 'zh' }
    const lines = ['半小时后', '每天'].map((text) => JSON.stringify({ ...question, text }))
    expect(await run([], `${lines.join('\n')}\n`)).toBe(
      '{"iso":"2025-10-30T15:30:00+08:00"}\n{"iso":null,"error":"recurring"}\n',
    )
  })

  it('answers a broken line too, so that the lines stay in step', async () => {
    expect(await run([], 'not json\n{"text":"now","reference":"x","tz":"Mars"}\n')).toBe(
      '{"iso":null,"error":"invalid_question"}\n{"iso":null,"error":"invalid_question"}\n',
    )
  })

  it('answers a person', async () => {
    expect(await run(['明早九点'])).toBe('2025-10-31T09:00:00+08:00 Asia/Shanghai · 明天 09:00 (18 小时后)\n')
    expect(await run(['--zone', 'UTC', 'tomorrow', 'at', '9am'])).toContain('2025-10-31T09:00:00Z UTC')
    expect(await run(['soon'])).toContain('not_understood: ')
    expect(isTime).toBe(false)
    expect(await run(['--zone', 'Mars', 'noon'])).toBe('unknown time zone: Mars\n')
  })

  it('shows what repeats, and refuses what happens once', async () => {
    const question = { reference: '2026-11-18T10:00:00', tz: 'Europe/Berlin', lang: 'en' }
    const lines = ['every other Tuesday at 6pm', 'tomorrow at 9'].map((text) => JSON.stringify({ ...question, text }))
    const [repeats, once] = (await run(['--repeat'], `${lines.join('\n')}\n`)).split('\n')
    expect(repeats).toContain('{"next":["2026-12-01T18:00:00+01:00","2026-12-15T18:00:00+01:00"')
    expect(once).toContain('{"error":"not_understood","hint":"')
    expect(await run(['--repeat', '每月最后一个工作日17点'])).toContain(
      '每月最后一个工作日 17:00 · Asia/Shanghai\n  2025-10-31T17:00:00',
    )
  })
})

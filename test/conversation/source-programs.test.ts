import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

const run = promisify(execFile)
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const withPython = has('python3', '-c', 'import requests') ? test : test.skip
/** People who have the page open. */
const CALLER = { kind: 'user', id: 'x', name: 'x', scopes: ['send'], bots: 'all' } as const
const withCurl = has('curl', '--version') ? test : test.skip

let house: AppFixture
let app: FastifyInstance
let address: string
let key: string

/** Who the documentation speaks of: bot abc123, user456 who was silent for three days, a group for two. */
beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('abc123')
  await house.addBot('other')
  app = await buildApp(house)
  address = await app.listen({ host: '127.0.0.1', port: 0 })
  key = (await house.addKey('send', 'abc123')).key
})

beforeEach(async () => {
  await house.database.pool.query('TRUNCATE message_history, conversations, session_events, push_budgets')
  await say('abc123', 'person', 'user456', 'user', '你好，你好吗？', 72)
  await say('abc123', 'person', 'user456', 'assistant', '我很好，谢谢！', 71.9)
  await say('abc123', 'group', 'group789', 'user', '大家好', 49)
  await say('abc123', 'person', 'awake', 'user', '我在', 1)
  await say('other', 'person', 'stranger', 'user', 'secret', 100)
  for (const [launcherType, launcherId] of [
    ['person', 'user456'],
    ['group', 'group789'],
    ['person', 'user123'],
  ] as const) {
    await house.door.sessions.resolve(CALLER, { botUuid: 'abc123', channel: 'web', launcherType, launcherId })
  }
})

afterAll(async () => {
  await app.close()
  await house.close()
})

async function say(bot: string, type: string, id: string, role: string, text: string, hoursAgo: number): Promise<void> {
  await house.database.pool.query(
    `INSERT INTO message_history (bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
       message_content, message_chain, query_id, session_key, source_kind, created_at)
     VALUES ($1, 'pipeline789', $2, $3, $4, $5, $6, jsonb_build_array(jsonb_build_object('type', 'Plain', 'text', $6::text)),
       1, 's', 'chat', now() - make_interval(secs => $7))`,
    [bot, type, id, role === 'user' ? id : bot, role, text, hoursAgo * 3_600],
  )
}

/** The file as it stands in the documentation, but for the address and the key. */
function program(name: string): string {
  const text = readFileSync(path.join(__dirname, 'source-programs', name), 'utf8')
  return text.replaceAll('http://localhost:5300', address).replaceAll('lbk_your_api_key_here', key)
}

async function curl(name: string): Promise<{ code: number; message: string; data: Record<string, unknown> }> {
  const { stdout } = await run('bash', ['-c', program(name).replace(/^curl /, 'curl -s ')])
  return JSON.parse(stdout) as { code: number; message: string; data: Record<string, unknown> }
}
const python = (name: string, more = '') => run('python3', ['-c', program(name) + more])
const contents = async (launcher: string) => {
  const { rows } = await house.database.pool.query<{ content: string; sourceKind: string }>(
    'SELECT message_content AS content, source_kind FROM message_history WHERE launcher_id = $1 ORDER BY id',
    [launcher],
  )
  return rows
}

withCurl('the history by curl has the fields of the documentation, newest first', async () => {
  const answer = await curl('history.sh')
  expect(answer).toMatchObject({ code: 0, message: 'success', data: { count: 2 } })
  const [newest, oldest] = answer.data['messages'] as Record<string, unknown>[]
  expect(Object.keys(newest!)).toEqual([
    ...['id', 'bot_uuid', 'pipeline_uuid', 'launcher_type', 'launcher_id', 'sender_id', 'message_role'],
    ...['message_content', 'message_chain', 'query_id', 'created_at', 'updated_at'],
  ])
  expect(newest).toMatchObject({ message_role: 'assistant', sender_id: 'abc123', query_id: 1 })
  expect(oldest).toMatchObject({
    ...{ bot_uuid: 'abc123', pipeline_uuid: 'pipeline789', launcher_type: 'person', launcher_id: 'user456' },
    ...{ sender_id: 'user456', message_role: 'user', message_content: '你好，你好吗？' },
    message_chain: [{ type: 'Plain', text: '你好，你好吗？' }],
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string,
  })
})

withCurl('inactive conversations by curl', async () => {
  const answer = await curl('inactive.sh')
  expect(answer).toMatchObject({
    data: {
      conversations: [
        { bot_uuid: 'abc123', launcher_type: 'group', launcher_id: 'group789' },
        { bot_uuid: 'abc123', launcher_type: 'person', launcher_id: 'user456' },
      ],
      count: 2,
    },
  })
  const [first] = answer.data['conversations'] as Record<string, unknown>[]
  expect(Object.keys(first!)).toEqual(['bot_uuid', 'launcher_type', 'launcher_id', 'last_message_time'])
})

withCurl('a text and a chain are sent by curl, and stored', async () => {
  expect(await curl('send-text.sh')).toMatchObject({
    ...{ code: 0, message: 'success' },
    data: { message: 'Message sent successfully' },
  })
  expect(await curl('send-chain.sh')).toMatchObject({ code: 0, data: { message: 'Message sent successfully' } })
  expect((await contents('user456')).slice(-2)).toEqual([
    { content: '你好！我们注意到您最近不太活跃。一切都还好吗？', sourceKind: 'push' },
    { content: '你好！看看这张图片：[Image] https://example.com/image.jpg', sourceKind: 'push' },
  ])
})

withCurl('a deletion by curl is counted and touches nobody else', async () => {
  expect(await curl('delete.sh')).toEqual({ code: 0, message: 'success', data: { deleted_count: 2 } })
  expect(await curl('delete.sh')).toMatchObject({ data: { deleted_count: 0 } })
  expect(await contents('user456')).toEqual([])
  expect((await contents('stranger')).length + (await contents('group789')).length).toBe(2)
})

withPython('the first program speaks to those who were silent, once', async () => {
  await python('reactivate.py')
  const pushed = { content: '你好！我们注意到您最近不太活跃。有什么我们可以帮助的吗？', sourceKind: 'push' }
  expect((await contents('user456')).at(-1)).toEqual(pushed)
  expect((await contents('group789')).at(-1)).toEqual(pushed)
  expect(await contents('awake')).toHaveLength(1)
  expect(await contents('stranger')).toHaveLength(1)
  await python('reactivate.py')
  expect(await contents('user456')).toHaveLength(3)
})

withPython('the second program reads a week of a bot', async () => {
  const { stdout } = await python('reminders.py', '\nprint(sorted(m["launcher_id"] for m in messages))')
  expect(stdout.trim()).toBe("['awake', 'user456', 'user456']")
})

withPython('the third program counts people, groups and roles', async () => {
  const { stdout } = await python('report.py')
  expect(stdout.trim().split('\n')).toEqual(['个人消息：3', '群组消息：1', '用户消息：3', '助手消息：1'])
})

import { startLocalService } from './local-service'
import type { Answer, Asked, LocalService } from './local-service'
import { refusal, useShippedPlugins } from './shipped-fixture'

const { run } = useShippedPlugins()

/** As OneBot v11 answers over HTTP: 401 without a token, 403 for a wrong one, 406 for a strange body, 404 for no action. */
function serveOnebot({ method, path, headers, body }: Asked): Answer {
  if (headers.authorization === undefined) return { status: 401, body: '' }
  if (headers.authorization !== 'Bearer secret')
    return { status: 403, body: { status: 'failed', message: 'token verify failed' } }
  if (method !== 'POST' || path !== '/mark_group_msg_as_read') return { status: 404, body: '' }
  if (headers['content-type'] !== 'application/json') return { status: 406, body: '' }
  const { group_id: group } = body as { group_id: unknown }
  if (typeof group !== 'number') return { status: 400, body: '' }
  if (group === 404) return failed(1404, '不支持的API')
  if (group === 100) return failed(100, '群不存在')
  if (group === 1) return { body: { status: 'async', retcode: 1, data: null } }
  return { body: { status: 'ok', retcode: 0, data: null, message: '', wording: '' } }
}
const failed = (retcode: number, wording: string): Answer => ({
  body: { status: 'failed', retcode, data: null, message: 'ERROR', wording },
})

let onebot: LocalService
beforeAll(async () => {
  onebot = await startLocalService(serveOnebot)
})
afterAll(() => onebot.close())
afterEach(() => onebot.answerWith(undefined))

const mark = (group: number | string, settings = {}) =>
  run(
    'qq_message_markGroupAsRead',
    { group_id: group },
    { ONEBOT_HTTP_URL: onebot.url, ONEBOT_ACCESS_TOKEN: 'secret', language: 'zh', ...settings },
  )

it.each([123456789, '123456789'])('marks group %j as read', async (group) => {
  const { result } = await mark(group)
  expect(result).toMatchObject({
    success: true,
    data: { group_id: '123456789', summary: 'QQ 群 123456789 的消息已标记为已读。' },
  })
  expect(onebot.asked.at(-1)).toMatchObject({ path: '/mark_group_msg_as_read', body: { group_id: 123456789 } })
})

it('takes an accepted action for done', async () => {
  expect((await mark(1)).result).toMatchObject({ success: true, data: { status: 'async' } })
})

it.each<[number, RegExp]>([
  [100, /OneBot 没有办成（retcode 100）: 群不存在/],
  [404, /没有 mark_group_msg_as_read 动作/],
])('says what is wrong with group %d', async (group, reason) => {
  expect((await mark(group)).result).toMatchObject(refusal(reason))
})

it.each<[Answer, RegExp]>([
  [{ status: 404, body: '' }, /没有 mark_group_msg_as_read 动作/],
  [{ status: 429, body: '' }, /请求太多（429）/],
  [{ status: 500, body: '' }, /OneBot 出了故障（500）/],
  [{ body: 'hello' }, /不是可用的 JSON/],
  [{ body: {} }, /没有办成（retcode \?）/],
])('says what the answer %j means', async (answer, reason) => {
  onebot.answerWith(answer)
  expect((await mark(5)).result).toMatchObject(refusal(reason))
})

it('names the settings that are missing or wrong', async () => {
  expect((await mark(5, { ONEBOT_HTTP_URL: '' })).result).toMatchObject(refusal(/ONEBOT_HTTP_URL is missing/))
  expect((await mark(5, { ONEBOT_ACCESS_TOKEN: '' })).result).toMatchObject(
    refusal(/（401）：请检查设置 ONEBOT_ACCESS_TOKEN/),
  )
  expect((await mark(5, { ONEBOT_ACCESS_TOKEN: 'x' })).result).toMatchObject(
    refusal(/（403）：请检查设置 ONEBOT_ACCESS_TOKEN/),
  )
})

it.each(['abc', '0', '-5', '1e9', 1.5])('does not ask for group %j', async (group) => {
  const before = onebot.asked.length
  expect((await mark(group)).result).toMatchObject(refusal(/group_id/))
  expect(onebot.asked).toHaveLength(before)
})

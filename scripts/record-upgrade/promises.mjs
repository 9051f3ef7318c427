import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

const MINUTE_MS = 60_000
const WITHIN_MS = 150_000
const TELEGRAM_TOKEN = `4242:${'a'.repeat(35)}`
const ZONE = 'Asia/Shanghai'

/** The HTTP API of the old version, with the key that its first start made. */
export function createApi({ url, checkout }) {
  const { api_key: key } = JSON.parse(fs.readFileSync(path.join(checkout.dataDir, 'credentials.json'), 'utf8'))
  async function call(method, route, body) {
    const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const response = await fetch(url + route, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`)
    return answer.data
  }
  return {
    url,
    get: (route) => call('GET', route),
    post: (route, body) => call('POST', route, body),
    put: (route, body) => call('PUT', route, body),
    patch: (route, body) => call('PATCH', route, body),
    remove: (route) => call('DELETE', route),
    chat: (message, where) => call('POST', '/api/ai/chat', { message, ...where }),
  }
}

async function until(look, what) {
  const deadline = Date.now() + WITHIN_MS
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > deadline) throw new Error(`it did not happen in time: ${what}`)
    await sleep(250)
  }
}

const only = (rows, what) => {
  if (rows.length !== 1) throw new Error(`${rows.length} rows where one was meant: ${what}`)
  return rows[0]
}

/** A conversation that all web chats share, and a reminder in it. */
export async function fillUnified(api, dueAt) {
  await api.chat('hello', {})
  const { sessions } = await api.get('/api/v1/sessions')
  const { session_key: key } = only(
    sessions.filter((each) => each.session_key.startsWith('unified:')),
    'unified',
  )
  await api.post('/api/v1/scheduled-messages', remind(key, dueAt, 'shared by all web chats'))
  return { unified: key }
}

const remind = (sessionKey, dueAt, text) => ({
  session_key: sessionKey,
  send_at: dueAt.toISOString(),
  message_text: text,
})

/** Promises of every kind, some kept, some given up, most of them open; answers what a person would remember of them. */
export async function fillInstallation({ api, outside, dueAt, checkout, say }) {
  const { bots } = await api.get('/api/v1/bots')
  const home = { bot_uuid: bots[0].uuid, session_key: 'home', timezone: ZONE }
  say('automations')
  const automations = await makeAutomations(api, home, { dueAt, checkout })
  say('bots and channels')
  const courier = await makeCourier(api, outside)
  say('reminders')
  const sessions = await makeReminders(api, { home, courier, outside, dueAt })
  say('tasks')
  const tasks = await makeTasks(api, home, dueAt)
  say('runs')
  const runs = await makeRuns(api, { home, courier, dueAt })
  say('waiting for the first run of an automation')
  await until(
    async () => (await api.get(`/api/v1/automations/${automations.every}`)).last_run?.state === 'succeeded',
    'run',
  )
  await until(async () => (await api.get(`/api/v1/runs/${runs.waiting}`)).steps[0].status === 'finished', 'picture')
  runs.underWay = (
    await startRun(api, sessions.web, [{ aiName: 'local__github_repo_info', draftArgs: { repo: 'vercel/ai' } }])
  ).run_id
  await until(async () => (await api.get(`/api/v1/runs/${runs.underWay}`)).steps[0].status === 'running', 'call')
  return {
    bots: (await api.get('/api/v1/bots')).bots,
    courier,
    automations,
    sessions,
    tasks,
    runs,
    ...(await readBack(api)),
  }
}

/** Those that a person asks for in words, and those that come by import. */
async function makeAutomations(api, home, { dueAt, checkout }) {
  const ask = async (words) => (await api.chat(words, home)).tool_calls[0].result.automation_id
  const every = await ask('every 60 seconds tell me the time')
  const cron = await ask('每天早上9点提醒我看新闻')
  const paused = await ask('every weekday at 9am summarise my tasks')
  const removed = await ask('每5分钟汇报一次')
  await api.patch(`/api/v1/automations/${paused}`, { enabled: false })
  await api.remove(`/api/v1/automations/${removed}`)
  const job = (id, schedule, payload) => ({
    id,
    name: id,
    enabled: true,
    schedule,
    payload: { kind: 'agent_turn', ...payload },
  })
  const jobs = [
    job('once', { kind: 'at', atMs: dueAt.getTime() }, { message: 'hello', sessionKey: 'home' }),
    job(
      'yearly',
      { kind: 'cron', expr: '0 9 1 1 *', tz: ZONE },
      { message: 'hello', deliver: true, channel: 'webhook', to: 'mia' },
    ),
  ]
  const file = path.join(checkout.dataDir, 'jobs.json')
  fs.writeFileSync(file, JSON.stringify({ version: 1, jobs }))
  execFileSync('npm', ['run', '-s', 'import:nanobot', '--', file], {
    cwd: checkout.dir,
    env: { ...process.env, PUNCTUAL_DATA_DIR: checkout.dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { automations } = await api.get('/api/v1/sessions/home/automations')
  const once = only(
    automations.filter(({ name }) => name === 'once'),
    'at',
  ).id
  const { promises } = await api.get('/api/v1/promises?limit=100')
  const imported = only(
    promises.filter(({ summary }) => summary === 'yearly'),
    'legacy',
  ).id
  return { every, cron, paused, removed, once, imported }
}

/** A second bot with a profile of its own that speaks through a webhook and on Telegram, and one whose webhook is down. */
async function makeCourier(api, outside) {
  const pipeline = await api.post('/api/v1/pipelines', {
    name: 'Courier',
    base: 'assistant',
    instructions: 'Be brief.',
  })
  const bot = await api.post('/api/v1/bots', { name: 'Courier', pipeline_uuid: pipeline.uuid })
  const stuck = await api.post('/api/v1/bots', { name: 'Stuck' })
  const { secret } = await api.put(`/api/v1/bots/${bot.uuid}/channels/webhook`, { url: `${outside.url}/open` })
  const closed = await api.put(`/api/v1/bots/${stuck.uuid}/channels/webhook`, { url: `${outside.url}/closed` })
  await api.put(`/api/v1/bots/${bot.uuid}/channels/telegram`, {
    token: TELEGRAM_TOKEN,
    api_root: `${outside.url}/telegram`,
  })
  const key = await api.post('/api/v1/api-keys', { name: 'Courier', scopes: ['read', 'send'], bot_uuids: [bot.uuid] })
  const revoked = await api.post('/api/v1/api-keys', { name: 'Revoked', scopes: ['read'], bot_uuids: [bot.uuid] })
  await api.remove(`/api/v1/api-keys/${revoked.id}`)
  return {
    ...{ bot: bot.uuid, stuck: stuck.uuid, pipeline: pipeline.uuid, telegramToken: TELEGRAM_TOKEN },
    ...{ webhookSecret: secret, closedSecret: closed.secret, key: key.key, revokedKey: revoked.key },
  }
}

async function makeReminders(api, { home, courier, outside, dueAt }) {
  const make = (sessionKey, text, at = dueAt) => api.post('/api/v1/scheduled-messages', remind(sessionKey, at, text))
  const minutes = Math.round((dueAt.getTime() - Date.now()) / MINUTE_MS)
  await api.chat('你好', home)
  await api.chat(`${minutes}分钟后提醒我喝水`, home)
  await make('home', 'in a year', new Date(Date.now() + 360 * 24 * 60 * MINUTE_MS))
  const soon = await make('home', 'kept by the old version', new Date(Date.now() + 2_000))
  const given = await make('home', 'given up by the person')
  await api.remove(`/api/v1/scheduled-messages/${given.task_id ?? given.id}`)

  const signedUp = await handIn(api, courier, `remind me in ${minutes} minutes to stretch`)
  await until(() => outside.received.some(({ pathname }) => pathname === '/open'), 'answer through the webhook')
  outside.write(`remind me in ${minutes} minutes to call Ann`)
  await until(() => outside.received.some(({ pathname }) => pathname.endsWith('/sendMessage')), 'answer on Telegram')

  const stuck = { bot_uuid: courier.stuck, target_type: 'person', target_id: 'bo' }
  await api.post('/api/v1/scheduled-messages', {
    ...{ bot_uuid: courier.stuck, channel: 'webhook', launcher_id: 'bo' },
    ...{ send_at: new Date(Date.now() + 1_000).toISOString(), message_text: 'not taken' },
  })
  await until(async () => (await list(api)).some(({ status }) => status === 'failed'), 'a reminder that failed')
  await api.post('/api/v1/messages/send', { ...stuck, message: 'on its way' })

  await makeQuiet(api, home, dueAt)
  await api.chat('hello', { ...home, session_key: 'gone' })
  await make('gone', 'in a deleted conversation')
  await api.remove('/api/v1/sessions/gone')
  await until(
    async () => (await list(api)).some(({ id, status }) => id === (soon.task_id ?? soon.id) && status === 'sent'),
    'sent',
  )
  return {
    web: 'home',
    webhook: signedUp,
    telegram: `telegram:${courier.bot}:person:77`,
    quiet: 'quiet',
    deleted: 'gone',
  }
}

const list = async (api) => (await api.get('/api/v1/scheduled-messages?limit=100')).scheduled_messages

/** What a person writes on the other side of the webhook. */
async function handIn(api, { bot, webhookSecret }, text) {
  const body = JSON.stringify({ launcher_id: 'mia', text, sender_name: 'Mia', timezone: ZONE })
  const [id, at] = [randomUUID(), new Date()]
  const response = await fetch(`${api.url}/api/v1/channels/webhook/${bot}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(webhookSecret).sign(id, at, body),
    },
    body,
  })
  if (!response.ok) throw new Error(`the webhook was refused: ${response.status} ${await response.text()}`)
  return `webhook:${bot}:person:mia`
}

/** Quiet hours from a minute ago until the promises are due; what comes in between is kept back. */
async function makeQuiet(api, home, dueAt) {
  const clock = (ms) => new Date(ms).toLocaleTimeString('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' })
  await api.chat('hello', { ...home, session_key: 'quiet', launcher_id: 'quiet-person', launcher_type: 'person' })
  const quiet_hours = { start: clock(Date.now() - MINUTE_MS), end: clock(dueAt.getTime()) }
  await api.patch('/api/v1/sessions/quiet', { quiet_hours })
  await api.post(
    '/api/v1/scheduled-messages',
    remind('quiet', new Date(Date.now() + 1_000), 'kept back by quiet hours'),
  )
  const target = { bot_uuid: home.bot_uuid, target_type: 'person', target_id: 'quiet-person' }
  await api.post('/api/v1/messages/send', { ...target, message: 'a push that waits' })
}

async function makeTasks(api, home, dueAt) {
  const clock = (ms) => new Date(ms).toLocaleTimeString('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' })
  const day = new Date(dueAt).toLocaleDateString('sv', { timeZone: ZONE })
  const make = (fields) => api.post('/api/v1/tasks', { ...home, dueDate: day, ...fields })
  const [start, end] = [10, 30].map((minutes) => clock(dueAt.getTime() + minutes * MINUTE_MS))
  const asked = await api.chat(`今天${start}到${end}和安开会，提前10分钟提醒我`, home)
  if (!asked.tool_calls.some(({ name, result }) => name === 'remind_of_task' && result.success)) {
    throw new Error(`no reminder for the task: ${JSON.stringify(asked)}`)
  }
  const done = await make({ title: '买菜', timeSegment: 'evening' })
  await api.post(`/api/v1/tasks/${done.task.taskId}/complete?session_key=home`)
  await make({
    title: 'plan the trip',
    dueDate: new Date(dueAt.getTime() + 86_400_000).toLocaleDateString('sv', { timeZone: ZONE }),
    timeSegment: 'morning',
  })
  return (await api.get('/api/v1/tasks?session_key=home')).tasks
}

const startRun = (api, sessionKey, steps) => api.post('/api/v1/runs', { session_key: sessionKey, plan: { steps } })

async function makeRuns(api, { home, courier, dueAt }) {
  const draw = (prompt, schedule) => ({
    aiName: 'local__image_draw',
    draftArgs: { prompt, ...(schedule && { schedule }) },
  })
  const when = dueAt.toISOString()
  const ended = await startRun(api, home.session_key, [draw('a boat')])
  const waiting = await startRun(api, home.session_key, [draw('a cat', when)])
  const chained = await startRun(api, home.session_key, [draw('a tree', when), { ...draw('a leaf'), dependsOn: [0] }])
  const outside = await startRun(api, `webhook:${courier.bot}:person:mia`, [draw('a ship', when)])
  const cancelled = await startRun(api, home.session_key, [draw('nothing', when)])
  await api.remove(`/api/v1/runs/${cancelled.run_id}`)
  await until(async () => (await api.get(`/api/v1/runs/${ended.run_id}`)).status === 'succeeded', 'a run')
  return {
    ...{ ended: ended.run_id, waiting: waiting.run_id, chained: chained.run_id },
    ...{ outside: outside.run_id, cancelled: cancelled.run_id },
  }
}

/** What the installation shows of itself just before it is stopped. */
async function readBack(api) {
  const { sessions } = await api.get('/api/v1/sessions?limit=100')
  const histories = {}
  for (const { session_key: key } of sessions) {
    const { messages } = await api.get(`/api/ai/messages?limit=200&session_key=${encodeURIComponent(key)}`)
    histories[key] = messages.map(({ id, role, content, created_at: at }) => ({ id, role, content, at }))
  }
  const reminders = (await list(api)).map(
    ({ id, session_id, channel, message_text, status, source_kind, send_at_ts }) => ({
      ...{ id, session_key: session_id, channel, text: message_text, status, source_kind, due: send_at_ts },
    }),
  )
  return { histories, reminders }
}

const TEXTS = {
  en: {
    username: 'Name',
    password: 'Password',
    signIn: 'Sign in',
    signOut: 'Sign out',
    send: 'Send',
    say: 'Say something, e.g. “remind me in 2 minutes to drink water”',
    empty: 'Nothing has been said here yet.',
    live: 'live',
    lost: 'connection lost, trying again…',
    connecting: 'connecting…',
    thinking: '…',
    linkUsed: 'This sign-in link was used or is too old.',
    unreachable: 'The server does not answer. Try again.',
  },
  zh: {
    username: '用户名',
    password: '密码',
    signIn: '登录',
    signOut: '退出',
    send: '发送',
    say: '说点什么，例如“2分钟后提醒我喝水”',
    empty: '这里还没有消息。',
    live: '已连接',
    lost: '连接断开，正在重试…',
    connecting: '连接中…',
    thinking: '……',
    linkUsed: '登录链接已使用或已过期。',
    unreachable: '服务器没有响应，请重试。',
  },
}
const language = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
const texts = TEXTS[language]
const RETRY_MS = [500, 1000, 2000, 5000]
/** The server pings every 15 s; silence for longer means that the connection is dead. */
const SILENCE_MS = 40_000

const find = (id) => document.getElementById(id)
const state = { token: localStorage.getItem('punctual.token'), sessionKey: null, lastEventId: null, following: null }
const messages = new Map()
const drafts = new Map()

class ApiError extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

async function call(path, { body, headers, signal } = {}) {
  const auth = state.token ? { authorization: `Bearer ${state.token}` } : {}
  const json = body ? { 'content-type': 'application/json' } : {}
  const request = { method: body ? 'POST' : 'GET', headers: { ...auth, ...json, ...headers }, signal }
  const answer = await fetch(path, { ...request, body: body && JSON.stringify(body) }).catch(() => {
    throw new ApiError(0, texts.unreachable)
  })
  if (answer.ok) return answer
  const failure = await answer.json().catch(() => ({}))
  throw new ApiError(answer.status, failure.message ?? texts.unreachable)
}

const data = async (answer) => (await (await answer).json()).data

async function signIn(credentials) {
  signOut()
  const { token } = await data(call('/api/v1/auth/login', { body: credentials }))
  state.token = token
  localStorage.setItem('punctual.token', token)
}

function signOut() {
  state.following?.abort()
  localStorage.removeItem('punctual.token')
  Object.assign(state, { token: null, sessionKey: null, lastEventId: null, following: null })
  messages.clear()
  drafts.clear()
  show()
}

function show() {
  find('sign-in').hidden = state.token !== null
  find('chat').hidden = find('sign-out').hidden = state.token === null
  if (state.token === null) find('status').textContent = ''
  render()
}

function bubble({ role, content, created_at: createdAt, draft }) {
  const item = document.createElement('li')
  item.className = draft ? `${role} draft` : role
  item.textContent = content
  if (createdAt) {
    const time = document.createElement('time')
    time.dateTime = createdAt
    time.textContent = new Date(createdAt).toLocaleString(language === 'zh' ? 'zh-CN' : undefined)
    item.append(time)
  }
  return item
}

function render() {
  const list = find('messages')
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80
  const said = [...messages.values()].sort((one, other) => one.id - other.id)
  list.replaceChildren(...[...said, ...drafts.values()].map(bubble))
  find('empty').hidden = state.sessionKey === null || list.childElementCount > 0
  if (atEnd) list.scrollTop = list.scrollHeight
}

async function loadMessages() {
  const query = state.sessionKey ? `&session_key=${encodeURIComponent(state.sessionKey)}` : ''
  const page = await data(call(`/api/ai/messages?limit=100${query}`))
  state.sessionKey = page.session_key
  for (const message of page.messages) messages.set(message.id, message)
  render()
}

function addMessage(message) {
  messages.set(message.id, message)
  drafts.delete(message.role === 'user' ? `said:${message.content}` : message.turn_id)
}

const ON_EVENT = {
  message: addMessage,
  turn({ turn_id: turnId, state: turnState }) {
    if (turnState === 'ended') drafts.delete(turnId)
    else if (turnState === 'started') drafts.set(turnId, { role: 'assistant', content: texts.thinking, draft: true })
  },
  delta({ turn_id: turnId, text }) {
    const known = drafts.get(turnId)
    const before = known && known.content !== texts.thinking ? known.content : ''
    drafts.set(turnId, { role: 'assistant', content: before + text, draft: true })
  },
  resync: () => void loadMessages().catch(fail),
}

function receive(block) {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)))
  if (fields.id !== undefined) state.lastEventId = fields.id
  if (!fields.event) return
  ON_EVENT[fields.event]?.(JSON.parse(fields.data))
  render()
}

/** One connection of the stream, until it breaks. EventSource cannot send a token, so the body is read by hand. */
async function followOnce(abort) {
  const headers = { accept: 'text/event-stream', ...(state.lastEventId && { 'last-event-id': state.lastEventId }) }
  const path = `/api/v1/sessions/${encodeURIComponent(state.sessionKey)}/events`
  const answer = await call(path, { headers, signal: abort.signal })
  find('status').textContent = texts.live
  // Without an id the stream began at the present: what was said before it is read now, and known by its id.
  if (!state.lastEventId) await loadMessages()
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let pending = ''
  for (;;) {
    const silence = setTimeout(() => void reader.cancel(), SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    const blocks = (pending + value).split('\n\n')
    pending = blocks.pop()
    blocks.forEach(receive)
  }
}

async function follow() {
  const abort = (state.following = new AbortController())
  for (let attempt = 0; !abort.signal.aborted; attempt++) {
    try {
      if (!state.sessionKey) await loadMessages()
      await followOnce(abort)
      attempt = 0
    } catch (error) {
      if (abort.signal.aborted) return
      if (error.status === 401) return signOut()
      if (error.status >= 400 && error.status < 500) fail(error)
    }
    if (abort.signal.aborted) return
    find('status').textContent = texts.lost
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]))
  }
}

const fail = (error) => (error.status === 401 ? signOut() : void (find('say-error').textContent = error.message))

async function say(message) {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const draft = `said:${message}`
  drafts.set(draft, { role: 'user', content: message, draft: true })
  render()
  try {
    await call('/api/ai/chat', { body: { message, session_key: state.sessionKey, timezone } })
    // The stream shows it all; this is for when it is broken just now.
    await loadMessages()
  } finally {
    drafts.delete(draft)
    render()
  }
}

function start() {
  show()
  find('status').textContent = texts.connecting
  void follow()
}

find('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault()
  const { username, password } = Object.fromEntries(new FormData(event.target))
  find('sign-in-error').textContent = ''
  try {
    await signIn({ username, password })
    event.target.reset()
    start()
  } catch (error) {
    find('sign-in-error').textContent = error.message
  }
})

find('say').addEventListener('submit', (event) => {
  event.preventDefault()
  const box = event.target.elements.message
  const message = box.value.trim()
  if (!message || !state.sessionKey) return
  box.value = ''
  find('say-error').textContent = ''
  say(message).catch((error) => {
    if (!box.value) box.value = message
    fail(error)
  })
})

find('say').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
})

find('sign-out').addEventListener('click', signOut)

document.documentElement.lang = language
for (const element of document.querySelectorAll('[data-text]')) element.textContent = texts[element.dataset.text]
for (const element of document.querySelectorAll('[data-placeholder]')) {
  element.placeholder = texts[element.dataset.placeholder]
  element.setAttribute('aria-label', element.placeholder)
}

const [, linkToken] = /^#token=(.+)$/.exec(location.hash) ?? []
if (linkToken) {
  history.replaceState(null, '', location.pathname)
  await signIn({ token: linkToken }).catch(() => void (find('sign-in-error').textContent = texts.linkUsed))
}
if (state.token) start()
else show()

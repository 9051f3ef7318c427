import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Message, Update } from 'grammy/types'

export const TOKEN = `4242:${'a'.repeat(35)}`
/** Of another bot that BotFather has made. */
export const OTHER_TOKEN = `5353:${'a'.repeat(35)}`
export const BOT = { id: 4242, is_bot: true, first_name: 'Punctual', username: 'punctual_bot' }

export interface TelegramCall {
  method: string
  /** The fields of the call; of an upload only that it was one, and its size. */
  fields: Record<string, unknown>
  status: number
}

type Fault = { status: number; body: Record<string, unknown> } | 'cut'

/** The Bot API over HTTP, as a bot sees it; every call is written down. */
export interface TelegramServer {
  url: string
  calls: TelegramCall[]
  /** What people were sent, in order. */
  sent(chatId: number): TelegramCall[]
  /** A person writes; answers the update as a webhook would get it. */
  say(message: Partial<Message> & { chat?: object; from?: object }): Update
  /** A person presses a button under a message of the bot. */
  press(data: string, label: string): Update
  /** Hands out again what was handed out before, as after an answer that was lost. */
  repeat(update: Update): void
  /** The next sends are refused like this; one that is undefined passes, `cut` is taken and its line is cut. */
  refuse(...faults: (Fault | undefined)[]): void
  webhook(): { url: string; secret_token?: string }
  /** Knows the address from before, with a secret token that nobody has any more. */
  forgetSecret(url: string): void
  /** Most polls that were open at the same time. */
  mostPolls(): number
  close(): Promise<void>
}

export const MIA = { id: 77, is_bot: false, first_name: 'Mia', last_name: 'Li' }
export const privateChat = { id: 77, type: 'private', first_name: 'Mia' } as const
export const groupChat = { id: -1001, type: 'supergroup', title: 'Team' } as const

export async function startTelegramServer(): Promise<TelegramServer> {
  const calls: TelegramCall[] = []
  const queue: Update[] = []
  const faults: (Fault | undefined)[] = []
  const polls = new Set<() => void>()
  let numbers = 1_000
  let most = 0
  let hook: { url: string; secret_token?: string } = { url: '' }

  const push = (update: Update) => {
    queue.push(update)
    for (const wake of polls) wake()
  }

  async function getUpdates(fields: Record<string, unknown>, request: IncomingMessage): Promise<unknown> {
    const offset = Number(fields['offset'] ?? 0)
    while (queue[0] && queue[0].update_id < offset) queue.shift()
    if (queue.length > 0) return [...queue]
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        polls.delete(end)
        resolve()
      }
      const timer = setTimeout(end, 1_000 * Number(fields['timeout'] ?? 0))
      polls.add(end)
      most = Math.max(most, polls.size)
      request.socket.once('close', end)
    })
    return [...queue]
  }

  async function answer(request: IncomingMessage): Promise<Fault> {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const fields = await readFields(request)
    if (token !== TOKEN && token !== OTHER_TOKEN)
      return { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } }
    const ok = (result: unknown): Fault => ({ status: 200, body: { ok: true, result } })
    if (method === 'getMe') return ok({ ...BOT, id: Number(token.split(':')[0]) })
    if (method === 'getUpdates') return ok(await getUpdates(fields, request))
    if (method === 'answerCallbackQuery') return (calls.push({ method, fields, status: 200 }), ok(true))
    if (method === 'getWebhookInfo') return ok(hook)
    if (method === 'deleteWebhook') return ((hook = { url: '' }), ok(true))
    if (method === 'setWebhook') return ((hook = { ...(fields as typeof hook) }), ok(true))
    const fault = faults.shift()
    const status = fault === undefined || fault === 'cut' ? 200 : fault.status
    calls.push({ method, fields, status })
    if (fault) return fault
    const chat = { id: Number(fields['chat_id']), type: 'private' }
    return ok({ message_id: (numbers += 1), date: 0, chat })
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void answer(request).then((answered) => {
      if (answered === 'cut') return request.socket.destroy()
      const { status, body } = answered
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    sent: (chatId) => calls.filter(({ fields, status }) => Number(fields['chat_id']) === chatId && status === 200),
    say(message) {
      const number = (numbers += 1)
      const whole = { message_id: number, date: 0, from: MIA, chat: privateChat, ...message }
      const update = { update_id: number, message: whole } as unknown as Update
      push(update)
      return update
    },
    press(data, label) {
      const number = (numbers += 1)
      const inline_keyboard = [[{ text: label, callback_data: data }]]
      const message = { message_id: number, date: 0, chat: privateChat, from: BOT, reply_markup: { inline_keyboard } }
      const callback_query = { id: String(number), from: MIA, chat_instance: '1', data, message }
      const update = { update_id: number, callback_query } as unknown as Update
      push(update)
      return update
    },
    repeat: (update) => push({ ...update, update_id: (numbers += 1) }),
    refuse: (...next) => void faults.push(...next),
    webhook: () => hook,
    forgetSecret: (url) => void (hook = { url }),
    mostPolls: () => most,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readFields(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/json')) return JSON.parse(body.toString() || '{}') as Record<string, unknown>
  const chat = /name="chat_id"\s+([-\d]+)/.exec(body.toString('latin1'))?.[1]
  return { upload: type.startsWith('multipart/form-data'), size: body.length, chat_id: chat }
}

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MODEL_NAME, readChatRequest, sendCompletion } from './chat-completions'
import { answerImages } from './images/images-request'
import { respond } from './respond'
import { ProtocolError, readBody, sendError, sendJson } from './wire'

export interface OfflineModel {
  /** For an OpenAI-compatible client. */
  baseUrl: string
  /** The one model it offers. */
  name: string
  close(): Promise<void>
}

/** The built-in model: it speaks the OpenAI protocol on loopback and answers by rules, so a fresh clone talks at once. */
export async function startOfflineModel(): Promise<OfflineModel> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => sendError(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    name: MODEL_NAME,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = `${request.method} ${request.url?.split('?')[0]}`
  if (route === 'GET /v1/models') {
    const model = { id: MODEL_NAME, object: 'model', created: 0, owned_by: 'punctual' }
    return sendJson(response, 200, { object: 'list', data: [model] })
  }
  if (route === 'POST /v1/images/generations') return sendJson(response, 200, answerImages(await readBody(request)))
  if (route !== 'POST /v1/chat/completions') throw new ProtocolError(404, `There is no ${route}`)
  const chat = readChatRequest(await readBody(request))
  sendCompletion(response, chat, respond(chat.conversation, chat.tools))
}

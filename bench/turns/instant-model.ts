import http from 'node:http'
import { fork } from 'node:child_process'
import type { Closings } from '../support/run-bench'

/** The tool that the model calls first in each turn: it reads, and changes nothing. */
export const TOOL = 'list_scheduled_private_messages'
const USAGE = { prompt_tokens: 900, completion_tokens: 12, total_tokens: 912 }

interface Message {
  role: string
}

/** Starts a model that answers at once, in a process of its own; the address that the openai SDK is given. */
export function startInstantModel(closings: Closings): Promise<string> {
  const child = fork(__filename, ['--serve'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  closings.add(() => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('message', (url: string) => resolve(url))
    child.once('exit', () => reject(new Error('the model ended before it listened')))
  })
}

/** A turn is two calls: the first answers with a call of a tool, the second, which brings its result, with words. */
function answer(messages: Message[]) {
  if (messages.at(-1)?.role === 'tool') return { content: 'There is nothing planned for you right now.' }
  const id = `call_${messages.length}`
  return { tool_calls: [{ index: 0, id, type: 'function', function: { name: TOOL, arguments: '{}' } }] }
}

function serve(): void {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: Message[] }
      const delta = answer(messages)
      const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'instant' }
      const finish_reason = 'content' in delta ? 'stop' : 'tool_calls'
      const chunks = [
        { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
        { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
        { ...chunk, choices: [], usage: USAGE },
      ]
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    process.send?.(`http://127.0.0.1:${port}/v1`)
  })
  process.on('disconnect', () => process.exit())
}

if (process.argv[2] === '--serve') serve()

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Step } from './book'

export interface Reply {
  status: number
  body: unknown
}

/** Answers as the step says; `reply` is what a healthy platform would say with that status. */
export async function answer(
  { request, response, step }: { request: IncomingMessage; response: ServerResponse; step: Step },
  reply: (status: number) => Reply,
): Promise<void> {
  response.on('error', () => undefined)
  if (step.kind === 'hang') return
  if (step.kind === 'cut') return void request.socket.destroy()
  if (step.kind === 'drip') return drip(response)
  if (step.kind === 'endless') return endless(response)
  if (step.kind === 'delay') await sleep(step.ms)
  const { status, body } = reply(step.kind === 'status' ? step.status : 200)
  const headers = step.kind === 'status' ? step.headers : undefined
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function drip({ socket }: ServerResponse): void {
  socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\nx-')
  const timer = setInterval(() => socket?.write('x'), 1_000)
  socket?.on('close', () => clearInterval(timer))
}

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  response.writeHead(503, { 'content-length': String(10 * 1024 ** 3) })
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', pour)
  pour()
}

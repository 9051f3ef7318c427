// The ledger's own process: it outlives every kill of the product, and ends with the process that asked for it.
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const [, , file] = process.argv
let secrets = []
let steps = []
let count = 0

function nextStep() {
  const step = steps[0]
  if (!step) return { kind: 'status', status: 200 }
  step.times = (step.times ?? Infinity) - 1
  if (step.times <= 0) steps.shift()
  return step
}

function isSigned(body, headers) {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers)
      return true
    } catch {
      return false
    }
  })
}

function parse(body) {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** Written before the answer: what was answered is in the file, whoever dies when. */
function record(request, body, verified, step) {
  const message = parse(body)
  const entry = {
    webhookId: String(request.headers['webhook-id'] ?? ''),
    botUuid: message.bot_uuid ?? null,
    sessionKey: message.session_key ?? null,
    text: message.text ?? null,
    textSha256: createHash('sha256')
      .update(message.text ?? '')
      .digest('hex'),
    verified,
    accepted: verified && step.kind === 'status' && step.status < 300,
    answer: verified ? (step.status ?? step.kind) : 401,
    path: request.url,
    body,
    atMs: Date.now(),
  }
  appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

function answerStatus(response, { status, headers = {} }, id) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ id }))
}

/** One byte each `gapMs`: of the head, or of the body after a whole head. */
function drip(response, { part = 'head', gapMs = 1_000 }) {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100000\r\n\r\n'
  const { socket } = response
  let rest = head
  if (part === 'body') {
    socket.write(head)
    rest = 'x'.repeat(100_000)
  }
  const timer = setInterval(() => {
    socket.write(rest.slice(0, 1))
    rest = rest.slice(1)
  }, gapMs)
  socket.on('close', () => clearInterval(timer))
}

function endless(response) {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  response.writeHead(200, { 'content-length': String(10 * 1024 ** 3) })
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', pour)
  pour()
}

const server = createServer((request, response) => {
  response.on('error', () => undefined)
  readText(request).then(
    (body) => {
      const verified = isSigned(body, request.headers)
      const step = verified ? nextStep() : { kind: 'status', status: 401 }
      record(request, body, verified, step)
      count += 1
      if (step.kind === 'drip') return drip(response, step)
      if (step.kind === 'endless') return endless(response)
      if (step.kind === 'delay') return setTimeout(() => answerStatus(response, { status: 200 }, `l-${count}`), step.ms)
      if (step.kind === 'status') answerStatus(response, step, `ledger-${count}`)
      // Nothing left but to hang.
    },
    () => undefined,
  )
})

process.on('message', (order) => {
  if (order.secrets) secrets = order.secrets
  if (order.steps) steps = order.steps
  process.send({ done: order.number })
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

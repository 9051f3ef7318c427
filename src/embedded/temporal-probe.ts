import http2 from 'node:http2'

const ANSWER_WITHIN_MS = 3_000
const OK = '0'

/** Whether Temporal answers on loopback and knows the namespace. */
export async function knowsNamespace(port: number, namespace: string): Promise<boolean> {
  return (await ask(port, 'DescribeNamespace', namespace)).status === OK
}

/** Whether the server finds in its file what it asks for: a list of schedules reads the columns that came last. */
export async function canReadItsFile(port: number, namespace: string): Promise<boolean> {
  const { status, message } = await ask(port, 'ListSchedules', namespace)
  return status === OK || !/no such (column|table)/i.test(message)
}

interface Answer {
  /** Absent when there was none. */
  status?: string
  message: string
}

/**
 * One call in plain HTTP/2: the SDK's client would cost the process that only watches over the others more memory than
 * everything else in it.
 */
function ask(port: number, method: 'DescribeNamespace' | 'ListSchedules', namespace: string): Promise<Answer> {
  return new Promise((resolve) => {
    const session = http2.connect(`http://127.0.0.1:${port}`)
    const answer = (headers: http2.IncomingHttpHeaders = {}) => {
      session.destroy()
      const [status, message] = [headers['grpc-status'], headers['grpc-message']].map((value) => value?.toString())
      resolve({ ...(status !== undefined && { status }), message: decodeURIComponent(message ?? '') })
    }
    session.setTimeout(ANSWER_WITHIN_MS, () => answer())
    session.once('error', () => answer())
    const stream = session.request({
      ':method': 'POST',
      ':path': `/temporal.api.workflowservice.v1.WorkflowService/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    // A refusal without a body brings the status in its headers, an answer after its body.
    stream.once('response', (headers) => headers['grpc-status'] !== undefined && answer(headers))
    stream.once('trailers', (trailers: http2.IncomingHttpHeaders) => answer(trailers))
    stream.once('error', () => answer()).once('close', () => answer())
    stream.resume().end(ofNamespace(namespace))
  })
}

/** The message `{ namespace: 1 }`, behind gRPC's five bytes: not compressed, and how long it is. */
function ofNamespace(namespace: string): Buffer {
  const name = Buffer.from(namespace)
  const message = Buffer.concat([Buffer.from([0x0a, ...varint(name.length)]), name])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

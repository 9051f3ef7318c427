// An MCP server with one tool that answers at a given instant, as many calls at once as are wanted.
import { createInterface } from 'node:readline'

const TOOL = {
  name: 'wait_until',
  description: 'Answers at that instant',
  inputSchema: { type: 'object', properties: { until: { type: 'number' } }, required: ['until'] },
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'clock', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': async ({ arguments: { until } }) => {
    await new Promise((resolve) => setTimeout(resolve, until - Date.now()))
    return { content: [{ type: 'text', text: `it is ${until}` }] }
  },
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  if (answer) send({ id, result: await answer(params) })
  else send({ id, error: { code: -32601, message: `there is no method ${method}` } })
})
process.stdin.on('end', () => process.exit(0))

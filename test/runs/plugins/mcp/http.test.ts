import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '../../../../src/embedded/ports'
import { eventually } from '../../../support/eventually'
import { makeCall } from '../host-fixture'
import { createMcpHost, EVERYTHING } from './mcp-fixture'

let server: ChildProcess | undefined
afterEach(() => stop())

async function start(port: number): Promise<void> {
  const env = { PATH: process.env['PATH'], PORT: String(port) }
  server = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], { env, stdio: 'ignore' })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    )
  await eventually(isUp)
}

async function stop(): Promise<void> {
  if (server === undefined) return
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  server = undefined
  await exit
}

test('over HTTP: calls, progress, and a server that was started again', async () => {
  const port = await findFreePort()
  await start(port)
  const url = 'http://127.0.0.1:${MCP_PORT}/mcp'
  const settings = { MCP_PORT: String(port), TOKEN: 'secret' }
  const entry = { type: 'http', url, headers: { authorization: 'Bearer ${TOKEN}' } }
  const host = await createMcpHost({ web: entry }, { settings, limits: { mcpStartMs: 30_000, heartbeatMs: 60_000 } })
  expect(await host.run(makeCall('web__echo', { message: 'hi' }))).toMatchObject({ data: { text: 'Echo: hi' } })
  const call = makeCall('web__trigger-long-running-operation', { duration: 1, steps: 2 })
  expect(await host.run(call)).toMatchObject({ code: 'OK' })
  expect(call.beats).toContainEqual({ progress: 1, total: 2 })

  await stop()
  const { code } = await host.run(makeCall('web__echo', { message: 'anyone?' }))
  expect(code).toBe('ERR')
  await start(port)
  const again = async () => (await host.run(makeCall('web__echo', { message: 'again' }))).code === 'OK'
  await eventually(again)
  await host.close()
})

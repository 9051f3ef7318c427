import { Client, Connection } from '@temporalio/client'
import { isAlive } from '../../src/embedded/process'
import type { TemporalServerOptions } from '../../src/embedded/temporal-server'
import { startTemporalServer } from '../../src/embedded/temporal-server'
import { waitUntil } from '../../src/embedded/wait'
import { createTestFolder, findFreePort, temporalBinary } from '../support/services'

async function options(): Promise<TemporalServerOptions> {
  return {
    binary: temporalBinary(),
    dir: createTestFolder('temporal'),
    port: await findFreePort(),
    uiPort: await findFreePort(),
    namespaces: ['default', 'mine'],
  }
}

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address })
  try {
    return await work(new Client({ connection, namespace: 'mine' }))
  } finally {
    await connection.close()
  }
}

describe('the embedded Temporal server', () => {
  it('remembers its workflows through kill -9, on the same ports', async () => {
    const place = await options()
    const first = await startTemporalServer(place)
    const start = { workflowId: 'kept', taskQueue: 'nobody', args: [] }
    await withClient(first.address, (client) => client.workflow.start('anything', start))
    process.kill(first.pid, 'SIGKILL')
    await waitUntil(() => !isAlive(first.pid), { timeoutMs: 5_000 })

    const second = await startTemporalServer(place)
    expect(second).toMatchObject({ adopted: false, address: first.address, uiUrl: first.uiUrl })
    const status = await withClient(second.address, async (client) => {
      const description = await client.workflow.getHandle('kept').describe()
      return description.status.name
    })
    expect(status).toBe('RUNNING')
    const page = await fetch(second.uiUrl ?? '')
    expect(page.status).toBe(200)
    await second.stop()
    expect(isAlive(second.pid)).toBe(false)
  })

  it('is adopted after its parent is gone', async () => {
    const place = await options()
    const first = await startTemporalServer(place)
    const second = await startTemporalServer(place)
    expect(second).toMatchObject({ pid: first.pid, adopted: true })
    await second.stop()
  })

  it('is replaced when it does not answer any more', async () => {
    const place = await options()
    const first = await startTemporalServer(place)
    process.kill(first.pid, 'SIGSTOP')
    const second = await startTemporalServer(place)
    expect(second.adopted).toBe(false)
    expect(isAlive(first.pid)).toBe(false)
    await second.stop()
  })
})

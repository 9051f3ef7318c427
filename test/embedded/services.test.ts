import { Client as PgClient } from 'pg'
import { Connection } from '@temporalio/client'
import { createTestDatabase, takeNamespace, temporalAddress } from '../support/services'

describe('the services of a test run', () => {
  it('gives each test file a migrated database of its own', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
    expect(first.url).not.toBe(second.url)
    const client = new PgClient({ connectionString: first.url })
    await client.connect()
    const { rows } = await client.query('SELECT finished_at FROM "_prisma_migrations"')
    await client.end()
    expect(rows.length).toBeGreaterThan(0)
    await Promise.all([first.drop(), second.drop()])
  })

  it('gives each test file a Temporal namespace of its own, with our search attributes', async () => {
    const namespace = takeNamespace()
    expect(takeNamespace()).not.toBe(namespace)
    const connection = await Connection.connect({ address: temporalAddress() })
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['PunctualKind', 'PunctualDueAt']))
    await connection.close()
  })
})

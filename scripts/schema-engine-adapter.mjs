import { randomUUID } from 'node:crypto'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'

const CHAR = 18
const TEXT = 25

/**
 * adapter-pg 7.10 is written for the client; reading the catalogue needs two repairs. It rejects the catalogue type
 * "char", and its own connectToShadowDb() drops the database while still connected to it. The configuration must be
 * given in parts: a `connectionString` would win over `database`, and the shadow would be the real database.
 */
export class MigrationPg extends PrismaPg {
  async connect() {
    return acceptChar(await super.connect())
  }

  async connectToShadowDb() {
    const database = `prisma_migrate_shadow_db_${randomUUID()}`
    const main = new pg.Client(this.config)
    await main.connect()
    await main.query(`CREATE DATABASE "${database}"`)
    const shadow = await new MigrationPg({ ...this.config, database }).connect()
    const dispose = shadow.dispose.bind(shadow)
    shadow.dispose = async () => {
      await dispose()
      await main.query(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`)
      await main.end()
    }
    return shadow
  }
}

/** Reads "char" columns as text and reports them as what they are. */
function acceptChar(connection) {
  const { performIO, queryRaw } = connection
  const charColumns = new WeakMap()
  connection.performIO = async function (query) {
    const result = await performIO.call(this, query)
    const chars = result.fields.filter((field) => field.dataTypeID === CHAR)
    charColumns.set(
      result.rows,
      chars.map((field) => result.fields.indexOf(field)),
    )
    for (const field of chars) field.dataTypeID = TEXT
    return result
  }
  connection.queryRaw = async function (query) {
    const result = await queryRaw.call(this, query)
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
  return connection
}

import { Client } from 'pg'

/**
 * Moves the clock of one database: PostgreSQL's is the only clock that decides, so a test that needs another day moves
 * that. `clock_timestamp()` is found in a schema of our own first; connections opened from now on see it.
 */
export async function pretendClock(url: string): Promise<{ setNow(iso: string): Promise<void> }> {
  const database = new URL(url).pathname.slice(1)
  await run(
    url,
    `CREATE SCHEMA pretend;
     CREATE TABLE pretend.clock (shift interval NOT NULL);
     INSERT INTO pretend.clock VALUES ('0');
     CREATE FUNCTION pretend.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
       $$ SELECT pg_catalog.clock_timestamp() + shift FROM pretend.clock $$;
     ALTER DATABASE "${database}" SET search_path = pretend, public, pg_catalog`,
  )
  return {
    setNow: (iso) => run(url, `UPDATE pretend.clock SET shift = '${iso}'::timestamptz - pg_catalog.clock_timestamp()`),
  }
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

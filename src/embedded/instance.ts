import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** What one data folder keeps across restarts: its secrets, and the ports its services were given. */
export interface InstanceFacts {
  postgresPassword: string
  jwtSecret: string
  postgresPort?: number
  temporalPort?: number
  temporalUiPort?: number
}

export interface Instance {
  readonly facts: Readonly<InstanceFacts>
  remember(changes: Partial<InstanceFacts>): void
}

/** Reads instance.json in the data folder, or makes it with fresh secrets. */
export function openInstance(dataDir: string): Instance {
  const file = path.join(dataDir, 'instance.json')
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  let facts = read(file) ?? createFacts(dataDir)
  const remember = (changes: Partial<InstanceFacts>) => {
    facts = { ...facts, ...changes }
    write(file, facts)
  }
  remember({})
  return {
    get facts() {
      return facts
    },
    remember,
  }
}

function createFacts(dataDir: string): InstanceFacts {
  if (fs.existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'))) {
    throw new Error(
      `${dataDir} has a database but no instance.json, which holds its password: restore it, or move the folder away`,
    )
  }
  // A folder that separate processes used before goes on with their secret.
  const kept = path.join(dataDir, 'jwt-secret')
  const jwtSecret = fs.existsSync(kept) ? fs.readFileSync(kept, 'utf8').trim() : randomBytes(48).toString('hex')
  return { postgresPassword: randomBytes(24).toString('hex'), jwtSecret }
}

function read(file: string): InstanceFacts | undefined {
  if (!fs.existsSync(file)) return undefined
  const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (isFacts(value)) return value
  throw new Error(`${file} is damaged: restore it, or move the data folder away`)
}

function isFacts(value: unknown): value is InstanceFacts {
  if (typeof value !== 'object' || value === null) return false
  const facts: Record<string, unknown> = { ...value }
  const isPort = (port: unknown) => port === undefined || Number.isInteger(port)
  return (
    typeof facts['postgresPassword'] === 'string' &&
    typeof facts['jwtSecret'] === 'string' &&
    [facts['postgresPort'], facts['temporalPort'], facts['temporalUiPort']].every(isPort)
  )
}

/** Whole or not at all: a kill in the middle must not cost the database's password. */
function write(file: string, facts: InstanceFacts): void {
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
  fs.renameSync(draft, file)
}

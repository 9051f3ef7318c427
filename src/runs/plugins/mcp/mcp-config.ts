import fs from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'secure-json-parse'
import { describe } from '../input-check'
import { messageOf } from '../../../errors'
import type { PluginFault } from '../registry'
import { plainName } from './tool-names'

/** What `${NAME}` may stand for. The environment itself is never looked at. */
type Variables = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** One entry of `mcpServers`, in the form that other programs read too; fields that we do not know are left alone. */
export interface McpEntry {
  command?: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  url?: string
  headers?: Record<string, string>
  type?: string
  disabled?: boolean
  /** Adds `schedule` to the input of every tool of the server. */
  schedule?: boolean
  deferred?: boolean
  timeoutMs?: number
}

export interface McpServer extends McpEntry {
  name: string
}

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } }
const ENTRY_SCHEMA = {
  type: 'object',
  oneOf: [{ required: ['command'] }, { required: ['url'] }],
  properties: {
    command: { type: 'string', minLength: 1 },
    args: { type: 'array', items: { type: 'string' } },
    env: TEXTS,
    cwd: { type: 'string' },
    url: { type: 'string', pattern: '^https?://' },
    headers: TEXTS,
    type: { enum: ['stdio', 'http', 'streamable-http', 'streamableHttp'] },
    disabled: { type: 'boolean' },
    schedule: { type: 'boolean' },
    deferred: { type: 'boolean' },
    timeoutMs: { type: 'integer', minimum: 100, maximum: 3_600_000 },
  },
}
const FILE_SCHEMA = { type: 'object', required: ['mcpServers'], properties: { mcpServers: { type: 'object' } } }

/** A server that is described wrongly is a fault and left out; so is the whole file when it cannot be read. */
export function readMcpConfig(file: string, variables: Variables): { servers: McpServer[]; faults: PluginFault[] } {
  const servers: McpServer[] = []
  const faults: PluginFault[] = []
  const attempt = (place: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      faults.push({ folder: place, reason: messageOf(error) })
    }
  }
  const isEntry = new Ajv({ strict: false }).compile<McpEntry>(ENTRY_SCHEMA)
  const readEntry = (key: string, value: unknown): McpServer => {
    const expanded = expandVariables(value, variables)
    if (!isEntry(expanded)) throw new Error(describe(isEntry.errors))
    return { ...expanded, name: readName(key, servers) }
  }
  // The usual file may be missing; one that an operator named elsewhere may not.
  if (file === path.resolve('mcp.json') && !fs.existsSync(file)) return { servers, faults }
  attempt(file, () => {
    for (const [key, value] of Object.entries(readServers(file))) {
      if (isDisabled(value)) continue
      attempt(`${file}: ${key}`, () => servers.push(readEntry(key, value)))
    }
  })
  return { servers, faults }
}

function readServers(file: string): object {
  const isFile = new Ajv({ strict: false }).compile<{ mcpServers: object }>(FILE_SCHEMA)
  const text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  const content: unknown = parse(text, { protoAction: 'error', constructorAction: 'error' })
  if (!isFile(content)) throw new Error(describe(isFile.errors))
  return content.mcpServers
}

/** One that is switched off may lack its settings. */
function isDisabled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'disabled' in value && value.disabled === true
}

function readName(key: string, others: McpServer[]): string {
  const name = plainName(key).slice(0, 40)
  if (name === '' || name === 'local') throw new Error(`a server cannot be named "${key}"`)
  if (others.some((other) => other.name === name)) throw new Error(`the name ${name} is taken by another server`)
  return name
}

/** Replaces `${NAME}` and `${NAME:-otherwise}` in every text of a value; throws for a name that stands for nothing. */
function expandVariables(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return expandText(value, variables)
  if (Array.isArray(value)) return value.map((item) => expandVariables(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandVariables(item, variables)]))
}

function expandText(text: string, variables: Variables): string {
  return text.replace(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
    const value = (Object.hasOwn(variables, name) ? variables[name] : undefined) || otherwise
    if (value === undefined) throw new Error(`the setting ${name} is missing`)
    return value
  })
}

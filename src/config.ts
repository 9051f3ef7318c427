import path from 'node:path'
import type { PushLimits } from './push/contract'
import { findSetting, PLUGIN_SETTINGS } from './settings'
import type { Setting, SettingName } from './settings'

/** Every setting of Punctual, read once. Nothing else in src reads the environment. */
export interface Config {
  host: string
  port: number
  dataDir: string
  timezone: string
  logLevel: string
  /** How long a process that is stopped may finish what it does. */
  drainMs: number
  databaseUrl: string | undefined
  databasePoolSize: number
  temporal: TemporalConfig
  /** Usual ports of the embedded services; a free one is taken and kept when they are in use. */
  embedded: { postgresPort: number; temporalPort: number; temporalUiPort: number; cacheDir: string | undefined }
  model: ModelConfig
  jwtSecret: string | undefined
  /** Seals secrets at rest; falls back to JWT_SECRET. Changing it makes stored secrets unreadable. */
  secretKey: string | undefined
  /** Where platforms and people reach this server, for links in what they are sent. */
  publicUrl: string | undefined
  /** Where a worker serves its figures; without it, nowhere. */
  workerMetricsPort: number | undefined
  adminUsername: string
  adminPassword: string | undefined
  /** What plugins may ask for by name in their `config.json`: the settings of ours, and everything named PLUGIN_…. */
  pluginSettings: Record<string, string | undefined>
  /** Folders with plugins of one's own. */
  pluginsDirs: string[]
  mcpConfigPath: string | undefined
  planMaxConcurrency: number
  pushLimits: PushLimits
  /** Messages of one person that are worked on in a minute. */
  turnsPerPerson: number
  /** Older messages are archived and deleted; without it they stay. */
  retentionDays: number | undefined
  /** How long what is over is kept, by family. */
  keptDays: { records: number; promises: number }
  archiveDir: string
  /** All web chats of a bot share one session. */
  unifiedSession: boolean
  corsOrigins: string[]
  /** Reverse proxies whose word about the caller's address is believed. */
  trustedProxies: string[]
  trustedEgressHosts: string[]
  /** A secret for the command line, so that it is not typed where others see it. */
  commandSecret: string | undefined
  /** Test only: the process kills itself with SIGKILL when it reaches this point. */
  crashPoint: string | undefined
}

export interface TemporalConfig {
  address: string | undefined
  namespace: string
  taskQueue: string
  apiKey: string | undefined
  tls: {
    enabled: boolean
    caPath: string | undefined
    certPath: string | undefined
    keyPath: string | undefined
    serverName: string | undefined
  }
  /** Where people open the Web UI; known for the embedded server, given for others. */
  uiUrl: string | undefined
}

export interface ModelConfig {
  apiKey: string | undefined
  baseUrl: string | undefined
  name: string | undefined
  /** No key and no base URL: the built-in offline model answers. */
  offline: boolean
  /** A model that sends nothing for this long is given up. */
  idleTimeoutMs: number
  turnTimeoutMs: number
  maxRetries: number
}

export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

type Env = Record<string, string | undefined>

/** Reports every fault at once, so that a person mends the settings in one go. */
export function readConfig(env: Env = process.env): Config {
  const faults: string[] = []
  const read = createReader(env, faults)
  const dataDir = path.resolve(read.text('PUNCTUAL_DATA_DIR'))
  const apiKey = read.optional('OPENAI_API_KEY')
  const baseUrl = read.optional('OPENAI_BASE_URL')
  const config: Config = {
    host: read.text('HOST'),
    port: read.integer('PORT'),
    dataDir,
    timezone: read.text('PUNCTUAL_TIMEZONE'),
    logLevel: read.text('LOG_LEVEL'),
    drainMs: read.integer('PUNCTUAL_DRAIN_MS'),
    databaseUrl: read.optional('DATABASE_URL'),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE'),
    temporal: {
      address: read.optional('TEMPORAL_ADDRESS'),
      namespace: read.text('TEMPORAL_NAMESPACE'),
      taskQueue: read.text('TEMPORAL_TASK_QUEUE'),
      apiKey: read.optional('TEMPORAL_API_KEY'),
      tls: {
        enabled: read.flag('TEMPORAL_TLS_ENABLED') ?? read.optional('TEMPORAL_API_KEY') !== undefined,
        caPath: read.optional('TEMPORAL_TLS_CA_PATH'),
        certPath: read.optional('TEMPORAL_TLS_CERT_PATH'),
        keyPath: read.optional('TEMPORAL_TLS_KEY_PATH'),
        serverName: read.optional('TEMPORAL_TLS_SERVER_NAME'),
      },
      uiUrl: read.optional('TEMPORAL_UI_URL'),
    },
    embedded: {
      postgresPort: read.integer('PUNCTUAL_POSTGRES_PORT'),
      temporalPort: read.integer('PUNCTUAL_TEMPORAL_PORT'),
      temporalUiPort: read.integer('PUNCTUAL_TEMPORAL_UI_PORT'),
      cacheDir: read.optional('PUNCTUAL_CACHE_DIR'),
    },
    model: {
      apiKey,
      baseUrl,
      name: read.optional('OPENAI_MODEL'),
      offline: !apiKey && !baseUrl,
      idleTimeoutMs: read.integer('MODEL_IDLE_TIMEOUT_MS'),
      turnTimeoutMs: read.integer('TURN_TIMEOUT_MS'),
      maxRetries: read.integer('MODEL_MAX_RETRIES'),
    },
    jwtSecret: read.optional('JWT_SECRET'),
    secretKey: read.optional('PUNCTUAL_SECRET_KEY') ?? read.optional('JWT_SECRET'),
    workerMetricsPort: read.optional('PUNCTUAL_WORKER_METRICS_PORT')
      ? read.integer('PUNCTUAL_WORKER_METRICS_PORT')
      : undefined,
    adminUsername: read.text('PUNCTUAL_ADMIN_USERNAME'),
    adminPassword: read.optional('PUNCTUAL_ADMIN_PASSWORD'),
    pluginSettings: readPluginSettings(env),
    pluginsDirs: read.text('PUNCTUAL_PLUGINS_DIR').split(path.delimiter).filter(Boolean),
    mcpConfigPath: read.optional('PUNCTUAL_MCP_CONFIG'),
    unifiedSession: read.flag('UNIFIED_SESSION') ?? false,
    planMaxConcurrency: read.integer('PLAN_MAX_CONCURRENCY'),
    pushLimits: {
      perKey: read.integer('PUNCTUAL_PUSHES_PER_KEY'),
      perBot: read.integer('PUNCTUAL_PUSHES_PER_BOT'),
      perTarget: read.integer('PUNCTUAL_PUSHES_PER_TARGET'),
    },
    keptDays: { records: read.integer('PUNCTUAL_RECORDS_DAYS'), promises: read.integer('PUNCTUAL_PROMISES_DAYS') },
    turnsPerPerson: read.integer('PUNCTUAL_TURNS_PER_PERSON'),
    retentionDays: read.integer('PUNCTUAL_RETENTION_DAYS') || undefined,
    archiveDir: path.resolve(read.optional('PUNCTUAL_ARCHIVE_DIR') ?? path.join(dataDir, 'archive')),
    corsOrigins: read.list('CORS_ORIGINS'),
    trustedProxies: read.list('TRUSTED_PROXIES'),
    publicUrl: read.optional('PUBLIC_URL'),
    trustedEgressHosts: read.list('TRUSTED_EGRESS_HOSTS'),
    commandSecret: read.optional('PUNCTUAL_SECRET'),
    crashPoint: env['PUNCTUAL_TEST_CRASH_POINT']?.trim() || undefined,
  }
  if (faults.length > 0) throw new ConfigError([...new Set(faults)])
  return config
}

function readPluginSettings(env: Env): Record<string, string | undefined> {
  const names = [...PLUGIN_SETTINGS, ...Object.keys(env).filter((name) => name.startsWith('PLUGIN_'))]
  return Object.fromEntries(names.map((name) => [name, env[name]?.trim() || undefined]))
}

/** Values by name: what is not set is the default of its declaration, what is wrong is noted and passed over. */
function createReader(env: Env, faults: string[]) {
  function optional(name: SettingName): string | undefined {
    const setting = findSetting(name)
    const value = env[name]?.trim() || undefined
    const fault = value === undefined ? undefined : findFault(setting, value)
    if (fault === undefined) return value ?? setting.default
    const shown = setting.kind === 'secret' || setting.kind === 'url' ? name : `${name}=${value}`
    faults.push(`${shown}: ${fault}`)
    return setting.default
  }
  return {
    optional,
    text: (name: SettingName): string => optional(name) ?? '',
    integer: (name: SettingName): number => Number(optional(name) ?? 0),
    list: (name: SettingName): string[] =>
      (optional(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    flag(name: SettingName): boolean | undefined {
      const value = optional(name)?.toLowerCase()
      return value === undefined ? undefined : YES.includes(value)
    },
  }
}

const YES = ['true', '1', 'yes', 'on']
const NO = ['false', '0', 'no', 'off']
const KNOWN_PLACEHOLDERS = /^(change-?me|secret|your[-_ ]|example|placeholder|default)/i

/** What is wrong with a value, in words; undefined when nothing is. */
function findFault(setting: Setting, value: string): string | undefined {
  if (setting.kind === 'integer') {
    const number = Number(value)
    const fits = Number.isInteger(number) && number >= setting.min && number <= setting.max
    return fits ? undefined : `expected a whole number from ${setting.min} to ${setting.max}`
  }
  if (setting.kind === 'flag') {
    return [...YES, ...NO].includes(value.toLowerCase()) ? undefined : 'expected true or false'
  }
  if (setting.kind === 'choice') {
    return setting.choices.includes(value) ? undefined : `expected one of ${setting.choices.join(', ')}`
  }
  if (setting.kind === 'url') {
    const fits = URL.canParse(value) && setting.protocols.includes(new URL(value).protocol)
    return fits
      ? undefined
      : `expected an address that begins with ${setting.protocols.map((p) => `${p}//`).join(' or ')}`
  }
  if (setting.kind === 'zone') return isZone(value) ? undefined : 'expected an IANA time zone such as Asia/Shanghai'
  return setting.kind === 'secret' ? findSecretFault(value) : undefined
}

function isZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

function findSecretFault(value: string): string | undefined {
  if (Buffer.byteLength(value) < 32) return 'must be at least 32 bytes long'
  if (KNOWN_PLACEHOLDERS.test(value)) return 'looks like a placeholder; make one with "openssl rand -hex 32"'
  return undefined
}

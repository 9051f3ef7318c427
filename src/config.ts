import path from 'node:path'
import type { PushLimits } from './contracts/push'

/** Every setting of Punctual, read once. Nothing else in src reads the environment. */
export interface Config {
  host: string
  port: number
  dataDir: string
  timezone: string
  logLevel: string
  databaseUrl: string | undefined
  databasePoolSize: number
  temporal: TemporalConfig
  /** Usual ports of the embedded services; a free one is taken and kept when they are in use. */
  embedded: { postgresPort: number; temporalPort: number; temporalUiPort: number; cacheDir: string | undefined }
  model: ModelConfig
  jwtSecret: string | undefined
  /** Seals secrets at rest; falls back to JWT_SECRET. Changing it makes stored secrets unreadable. */
  secretKey: string | undefined
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
  /** Older messages are archived and deleted; without it they stay. */
  retentionDays: number | undefined
  archiveDir: string
  /** All web chats of a bot share one session. */
  unifiedSession: boolean
  corsOrigins: string[]
  trustedEgressHosts: string[]
  /** A secret for the command line, so that it is not typed where others see it. */
  commandSecret: string | undefined
  /** Test only: the process kills itself with SIGKILL when it reaches this point (FAULTS "crash points"). */
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
  const config: Config = {
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 3000, 0, 65_535),
    dataDir: path.resolve(read.text('PUNCTUAL_DATA_DIR', '.punctual')),
    timezone: read.zone('PUNCTUAL_TIMEZONE', 'Asia/Shanghai'),
    logLevel: read.choice('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 2, 200),
    temporal: {
      address: read.optional('TEMPORAL_ADDRESS'),
      namespace: read.text('TEMPORAL_NAMESPACE', 'default'),
      taskQueue: read.text('TEMPORAL_TASK_QUEUE', 'punctual'),
      apiKey: read.optional('TEMPORAL_API_KEY'),
      tls: {
        enabled: read.flag(
          'TEMPORAL_TLS_ENABLED',
          env['TEMPORAL_API_KEY'] !== undefined && env['TEMPORAL_API_KEY'] !== '',
        ),
        caPath: read.optional('TEMPORAL_TLS_CA_PATH'),
        certPath: read.optional('TEMPORAL_TLS_CERT_PATH'),
        keyPath: read.optional('TEMPORAL_TLS_KEY_PATH'),
        serverName: read.optional('TEMPORAL_TLS_SERVER_NAME'),
      },
      uiUrl: read.url('TEMPORAL_UI_URL', ['http:', 'https:']),
    },
    embedded: {
      postgresPort: read.integer('PUNCTUAL_POSTGRES_PORT', 5433, 1, 65_535),
      temporalPort: read.integer('PUNCTUAL_TEMPORAL_PORT', 7233, 1, 65_535),
      temporalUiPort: read.integer('PUNCTUAL_TEMPORAL_UI_PORT', 8233, 1, 65_535),
      cacheDir: read.optional('PUNCTUAL_CACHE_DIR'),
    },
    model: {
      apiKey: read.optional('OPENAI_API_KEY'),
      baseUrl: read.url('OPENAI_BASE_URL', ['http:', 'https:']),
      name: read.optional('OPENAI_MODEL'),
      offline: !read.optional('OPENAI_API_KEY') && !read.optional('OPENAI_BASE_URL'),
      idleTimeoutMs: read.integer('MODEL_IDLE_TIMEOUT_MS', 60_000, 100, 600_000),
      turnTimeoutMs: read.integer('TURN_TIMEOUT_MS', 300_000, 1_000, 3_600_000),
      maxRetries: read.integer('MODEL_MAX_RETRIES', 3, 0, 10),
    },
    jwtSecret: read.secret('JWT_SECRET'),
    secretKey: read.secret('PUNCTUAL_SECRET_KEY') ?? read.optional('JWT_SECRET'),
    workerMetricsPort:
      read.optional('PUNCTUAL_WORKER_METRICS_PORT') === undefined
        ? undefined
        : read.integer('PUNCTUAL_WORKER_METRICS_PORT', 0, 0, 65_535),
    adminUsername: read.text('PUNCTUAL_ADMIN_USERNAME', 'admin'),
    adminPassword: read.optional('PUNCTUAL_ADMIN_PASSWORD'),
    pluginSettings: readPluginSettings(env),
    pluginsDirs: read.text('PUNCTUAL_PLUGINS_DIR', '').split(path.delimiter).filter(Boolean),
    mcpConfigPath: read.optional('PUNCTUAL_MCP_CONFIG'),
    unifiedSession: read.flag('UNIFIED_SESSION', false),
    planMaxConcurrency: read.integer('PLAN_MAX_CONCURRENCY', 3, 1, 20),
    pushLimits: {
      perKey: read.integer('PUNCTUAL_PUSHES_PER_KEY', 600, 2, 1_000_000),
      perBot: read.integer('PUNCTUAL_PUSHES_PER_BOT', 600, 2, 1_000_000),
      perTarget: read.integer('PUNCTUAL_PUSHES_PER_TARGET', 20, 2, 1_000_000),
    },
    retentionDays: read.integer('PUNCTUAL_RETENTION_DAYS', 0, 0, 36_500) || undefined,
    archiveDir: path.resolve(
      read.optional('PUNCTUAL_ARCHIVE_DIR') ?? path.join(read.text('PUNCTUAL_DATA_DIR', '.punctual'), 'archive'),
    ),
    corsOrigins: read.list('CORS_ORIGINS'),
    trustedEgressHosts: read.list('TRUSTED_EGRESS_HOSTS'),
    commandSecret: read.optional('PUNCTUAL_SECRET'),
    crashPoint: read.optional('PUNCTUAL_TEST_CRASH_POINT'),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

const PLUGIN_SETTINGS = [
  'OPENAI_IMAGE_MODEL',
  'SEARXNG_URL',
  'TAVILY_API_KEY',
  'TAVILY_BASE_URL',
  'ONEBOT_HTTP_URL',
  'ONEBOT_ACCESS_TOKEN',
  'GITHUB_API_URL',
  'GITHUB_TOKEN',
]

function readPluginSettings(env: Env): Record<string, string | undefined> {
  const names = [...PLUGIN_SETTINGS, ...Object.keys(env).filter((name) => name.startsWith('PLUGIN_'))]
  return Object.fromEntries(names.map((name) => [name, env[name]?.trim() || undefined]))
}

const KNOWN_PLACEHOLDERS = /^(change-?me|secret|your[-_ ]|example|placeholder|default)/i

function createReader(env: Env, faults: string[]) {
  const optional = (name: string) => env[name]?.trim() || undefined
  const text = (name: string, fallback: string) => optional(name) ?? fallback
  return {
    optional,
    text,
    list: (name: string) =>
      text(name, '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    integer(name: string, fallback: number, min: number, max: number): number {
      const raw = optional(name)
      if (raw === undefined) return fallback
      const value = Number(raw)
      if (Number.isInteger(value) && value >= min && value <= max) return value
      faults.push(`${name}=${raw}: expected a whole number from ${min} to ${max}`)
      return fallback
    },
    flag(name: string, fallback: boolean): boolean {
      const raw = optional(name)?.toLowerCase()
      if (raw === undefined) return fallback
      if (['true', '1', 'yes', 'on'].includes(raw)) return true
      if (['false', '0', 'no', 'off'].includes(raw)) return false
      faults.push(`${name}=${raw}: expected true or false`)
      return fallback
    },
    choice(name: string, fallback: string, choices: string[]): string {
      const value = text(name, fallback)
      if (!choices.includes(value)) faults.push(`${name}=${value}: expected one of ${choices.join(', ')}`)
      return value
    },
    url(name: string, protocols: string[]): string | undefined {
      const raw = optional(name)
      if (raw === undefined) return undefined
      if (!URL.canParse(raw) || !protocols.includes(new URL(raw).protocol)) {
        faults.push(`${name}: expected an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
      }
      return raw
    },
    zone(name: string, fallback: string): string {
      const value = text(name, fallback)
      try {
        new Intl.DateTimeFormat('en', { timeZone: value })
      } catch {
        faults.push(`${name}=${value}: expected an IANA time zone such as Asia/Shanghai`)
      }
      return value
    },
    secret(name: string): string | undefined {
      const value = optional(name)
      if (value === undefined) return undefined
      if (Buffer.byteLength(value) < 32) faults.push(`${name}: must be at least 32 bytes long`)
      else if (KNOWN_PLACEHOLDERS.test(value))
        faults.push(`${name}: looks like a placeholder; make one with "openssl rand -hex 32"`)
      return value
    },
  }
}

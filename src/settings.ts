/** How a setting is read. Numbers have bounds, choices their values, addresses their protocols. */
export type Kind =
  | { kind: 'text' | 'secret' | 'zone' | 'list' | 'flag' }
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'url'; protocols: readonly string[] }

export type Setting = Kind & {
  /** What it is without being set; none: it may be left out. */
  default?: string
  about: string
  /** Shown in place of a default in .env.example. */
  example?: string
  /** In docker-compose.yml it has a value of its own there, or none at all. */
  compose?: 'own' | 'none'
}

const WEB = { kind: 'url', protocols: ['http:', 'https:'] } as const
const port = { kind: 'integer', min: 1, max: 65_535 } as const
const days = { kind: 'integer', min: 0, max: 36_500 } as const
const perMinute = { kind: 'integer', min: 2, max: 1_000_000 } as const
const text = { kind: 'text' } as const

/**
 * Every setting, once: the reader in config.ts, .env.example, the table in README.md and the environment in
 * docker-compose.yml all come from here (`npm run settings` writes them).
 */
export const SETTINGS = {
  'Front door': {
    HOST: { ...text, default: '127.0.0.1', about: 'where the front door listens', compose: 'none' },
    PORT: { kind: 'integer', min: 0, max: 65_535, default: '3000', about: 'its port', compose: 'none' },
    PUNCTUAL_DATA_DIR: {
      ...text,
      default: '.punctual',
      compose: 'none',
      about: 'data of the embedded services, `credentials.json`, secrets that were made; several run side by side',
    },
    PUNCTUAL_TIMEZONE: { kind: 'zone', default: 'Asia/Shanghai', about: 'zone of sessions that do not say theirs' },
    UNIFIED_SESSION: { kind: 'flag', default: 'false', about: 'all web chats of a bot share one conversation' },
    PUNCTUAL_DRAIN_MS: {
      kind: 'integer',
      min: 0,
      max: 600_000,
      default: '10000',
      about: 'how long a process that is stopped may finish its work; the rest goes on elsewhere (`npm start`: 1200)',
    },
    LOG_LEVEL: {
      kind: 'choice',
      choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      default: 'info',
      about: 'how much is logged',
    },
  },
  'The model (with neither a key nor a base URL the built-in offline model answers)': {
    OPENAI_API_KEY: { ...text, about: 'key of the model’s server' },
    OPENAI_BASE_URL: { ...WEB, example: 'http://127.0.0.1:11434/v1', about: 'any OpenAI-compatible server' },
    OPENAI_MODEL: { ...text, about: 'name of the model' },
    MODEL_IDLE_TIMEOUT_MS: {
      kind: 'integer',
      min: 100,
      max: 600_000,
      default: '60000',
      about: 'a model that sends nothing for this long is given up',
    },
    MODEL_MAX_RETRIES: { kind: 'integer', min: 0, max: 10, default: '3', about: 'tries of a model call that may pass' },
    TURN_TIMEOUT_MS: {
      kind: 'integer',
      min: 1_000,
      max: 3_600_000,
      default: '300000',
      about: 'how long a turn may take',
    },
  },
  'Your own PostgreSQL and Temporal (with both set nothing embedded starts)': {
    DATABASE_URL: {
      kind: 'url',
      protocols: ['postgres:', 'postgresql:'],
      compose: 'own',
      example: 'postgresql://user:password@localhost:5432/punctual',
      about: 'PostgreSQL (tested on 18)',
    },
    DATABASE_POOL_SIZE: { kind: 'integer', min: 2, max: 200, default: '10', about: 'connections of each process' },
    TEMPORAL_ADDRESS: { ...text, example: 'localhost:7233', about: 'gRPC address of Temporal', compose: 'own' },
    TEMPORAL_NAMESPACE: { ...text, default: 'default', about: 'its namespace' },
    TEMPORAL_TASK_QUEUE: { ...text, default: 'punctual', about: 'its task queue; one installation each' },
    TEMPORAL_API_KEY: { ...text, about: 'key of Temporal Cloud; switches TLS on' },
    TEMPORAL_TLS_ENABLED: { kind: 'flag', about: 'TLS without a key' },
    TEMPORAL_TLS_CA_PATH: { ...text, about: 'certificate authority of the server' },
    TEMPORAL_TLS_CERT_PATH: { ...text, about: 'client certificate' },
    TEMPORAL_TLS_KEY_PATH: { ...text, about: 'key of the client certificate' },
    TEMPORAL_TLS_SERVER_NAME: { ...text, about: 'name in the server’s certificate' },
    TEMPORAL_UI_URL: { ...WEB, about: 'where people open its Web UI', compose: 'own' },
  },
  'Embedded services': {
    PUNCTUAL_POSTGRES_PORT: {
      ...port,
      default: '5433',
      about: 'usual port; a free one is taken and kept',
      compose: 'none',
    },
    PUNCTUAL_TEMPORAL_PORT: { ...port, default: '7233', about: 'likewise', compose: 'none' },
    PUNCTUAL_TEMPORAL_UI_PORT: { ...port, default: '8233', about: 'likewise', compose: 'none' },
    PUNCTUAL_CACHE_DIR: { ...text, about: 'where the Temporal binary is kept, once a machine', compose: 'none' },
  },
  'Doors (secrets are at least 32 bytes: openssl rand -hex 32)': {
    JWT_SECRET: { kind: 'secret', about: 'signs tokens; front doors that share no data folder need the same one' },
    PUNCTUAL_SECRET_KEY: {
      kind: 'secret',
      about: 'seals channel secrets at rest; `JWT_SECRET` without it; the same for all processes',
    },
    PUNCTUAL_ADMIN_USERNAME: { ...text, default: 'admin', about: 'the administrator that the first start makes' },
    PUNCTUAL_ADMIN_PASSWORD: { ...text, about: 'their password; one is made without it' },
    CORS_ORIGINS: { kind: 'list', about: 'web pages of other origins that may call the API, separated by commas' },
    TRUSTED_PROXIES: {
      kind: 'list',
      compose: 'own',
      example: '127.0.0.1,10.0.0.0/8',
      about: 'reverse proxies whose X-Forwarded-For is believed, so that limits count people and not the proxy',
    },
    PUBLIC_URL: {
      ...WEB,
      example: 'https://punctual.example.com',
      about: 'where people and platforms reach this server: the beginning of links to files in what they are sent',
    },
    TRUSTED_EGRESS_HOSTS: {
      kind: 'list',
      about: 'host or host:port that channels and plugins may reach although it is private',
    },
    PUNCTUAL_WORKER_METRICS_PORT: {
      kind: 'integer',
      min: 0,
      max: 65_535,
      example: '9464',
      about: 'a worker serves its figures here',
    },
    PUNCTUAL_SECRET: {
      ...text,
      about: 'a secret for `punctual channels set …`, so that nobody sees it typed',
      compose: 'none',
    },
  },
  'Push and history': {
    PUNCTUAL_PUSHES_PER_KEY: {
      ...perMinute,
      default: '600',
      about: 'pushes of a key in any minute; half of it at once',
    },
    PUNCTUAL_PUSHES_PER_BOT: { ...perMinute, default: '600', about: 'of a bot' },
    PUNCTUAL_PUSHES_PER_TARGET: { ...perMinute, default: '20', about: 'to one person or group' },
    PUNCTUAL_TURNS_PER_PERSON: {
      ...perMinute,
      default: '120',
      about: 'messages of one person that are answered in any minute; half of it at once',
    },
    PUNCTUAL_RETENTION_DAYS: {
      ...days,
      default: '0',
      about: 'older messages are archived as JSON lines and deleted; 0 keeps them',
    },
    PUNCTUAL_RECORDS_DAYS: {
      ...days,
      min: 1,
      default: '90',
      about: 'how long turns, tool calls, deliveries and messages of platforms are kept as records of what was done',
    },
    PUNCTUAL_PROMISES_DAYS: {
      ...days,
      min: 1,
      default: '365',
      about: 'how long promises that are over are kept: messages, plugin runs with their files, runs of automations',
    },
    PUNCTUAL_ARCHIVE_DIR: { ...text, about: 'where they are archived; `archive` in the data folder without it' },
  },
  Plugins: {
    PUNCTUAL_PLUGINS_DIR: { ...text, about: 'folders with plugins of your own, separated like PATH' },
    PUNCTUAL_MCP_CONFIG: { ...text, about: 'MCP servers; `mcp.json` in the working folder without it' },
    PLAN_MAX_CONCURRENCY: { kind: 'integer', min: 1, max: 20, default: '3', about: 'steps of a plan at the same time' },
    OPENAI_IMAGE_MODEL: { ...text, about: 'image_draw: model of the images API' },
    SEARXNG_URL: { ...text, about: 'realtime_search: a SearXNG with the JSON format on' },
    TAVILY_API_KEY: { ...text, about: 'realtime_search: Tavily in its place' },
    TAVILY_BASE_URL: { ...text, about: 'realtime_search: another address of Tavily' },
    ONEBOT_HTTP_URL: { ...text, about: 'qq_message_markGroupAsRead: the OneBot v11 HTTP API' },
    ONEBOT_ACCESS_TOKEN: { ...text, about: 'qq_message_markGroupAsRead: its token' },
    GITHUB_API_URL: { ...text, example: 'https://api.github.com', about: 'github_repo_info: another GitHub' },
    GITHUB_TOKEN: { ...text, about: 'github_repo_info: more calls an hour' },
  },
} as const satisfies Record<string, Record<string, Setting>>

type Groups = typeof SETTINGS
export type SettingName = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups]

/** Settings that plugins may ask for by name in their `config.json`. */
export const PLUGIN_SETTINGS = [
  'OPENAI_IMAGE_MODEL',
  'SEARXNG_URL',
  'TAVILY_API_KEY',
  'TAVILY_BASE_URL',
  'ONEBOT_HTTP_URL',
  'ONEBOT_ACCESS_TOKEN',
  'GITHUB_API_URL',
  'GITHUB_TOKEN',
] as const satisfies readonly SettingName[]

export const findSetting = (name: SettingName): Setting =>
  Object.values<Record<string, Setting>>(SETTINGS).find((group) => name in group)![name]!

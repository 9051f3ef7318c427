/**
 * The rooms of the house: what each holds and which others it may import by value (types are free). ESLint checks it, and
 * ARCHITECTURE.md shows it: a test keeps the two the same. `inside` rooms are imported file by file, the others by their
 * index alone; routes stand beside the index, so that a worker does not load them. `nobodyImports` keeps a room out of the
 * product, also of the composition that may import everything.
 */
const FOUNDATION = ['contracts', 'errors']
const ENGINE = [...FOUNDATION, 'engine']
const FEATURE = [...ENGINE, 'http']

export const ROOMS = [
  {
    name: 'contracts',
    folder: 'src/contracts',
    inside: true,
    imports: [],
    holds: 'words that several rooms share: types and constants',
  },
  { name: 'errors', folder: 'src', files: ['errors.ts'], imports: [], holds: 'the one family of errors' },
  {
    name: 'time',
    folder: 'src/time',
    imports: FOUNDATION,
    holds: 'words to an instant, and what repeats ([docs/time.md](docs/time.md))',
  },
  { name: 'egress', folder: 'src/egress', inside: true, imports: FOUNDATION, holds: 'the one guarded HTTP client' },
  {
    name: 'engine',
    folder: 'src/engine',
    inside: true,
    imports: FOUNDATION,
    holds:
      'what every promise shares: database, session lock, events, outbox, outgoing line, live bus, Temporal, dispatcher, reconciler',
  },
  { name: 'metrics', folder: 'src/metrics', imports: FOUNDATION, holds: 'figures for Prometheus' },
  {
    name: 'http',
    folder: 'src/http',
    inside: true,
    imports: ENGINE,
    holds: 'transport: app, doors, errors, streams, document, page files',
  },
  { name: 'planner', folder: 'src/planner', imports: FEATURE, holds: 'loop, model, prompts, pipelines' },
  {
    name: 'access',
    folder: 'src/access',
    imports: FEATURE,
    holds: 'who may come in, who may speak and what it may cost: keys, users, bots, secrets, usage',
  },
  {
    name: 'conversation',
    folder: 'src/conversation',
    imports: [...FEATURE, 'time', 'planner', 'access'],
    holds: 'sessions, turns (one queue), history, memory, forgetting',
  },
  {
    name: 'reminders',
    folder: 'src/reminders',
    imports: [...FEATURE, 'time', 'conversation'],
    holds: 'scheduled private messages, quiet hours',
  },
  {
    name: 'runs',
    folder: 'src/runs',
    imports: [...FEATURE, 'time', 'egress', 'planner', 'conversation'],
    holds: 'plugin runs and their feedback; plugin host, child process, MCP',
  },
  {
    name: 'automations',
    folder: 'src/automations',
    imports: [...FEATURE, 'time', 'planner', 'access', 'conversation'],
    holds: 'what repeats: schedules, slots, their turns; import',
  },
  {
    name: 'tasks',
    folder: 'src/tasks',
    imports: [...FEATURE, 'time', 'conversation', 'reminders'],
    holds: 'the task agent ([docs/tasks.md](docs/tasks.md))',
  },
  {
    name: 'push',
    folder: 'src/push',
    imports: [...FEATURE, 'conversation', 'reminders'],
    holds: 'messages that programs send',
  },
  {
    name: 'channels',
    folder: 'src/channels',
    imports: [...FEATURE, 'egress', 'access', 'conversation', 'reminders'],
    holds: 'platforms: outgoing line, inbound line, connections ([docs/channels.md](docs/channels.md))',
  },
  {
    name: 'promises',
    folder: 'src/promises',
    imports: [...FEATURE, 'conversation'],
    holds: 'the one list of everything due',
  },
  {
    name: 'offline-model',
    folder: 'src/offline-model',
    imports: ['contracts', 'time'],
    holds: 'the model that answers by rules when none is configured',
  },
  {
    name: 'embedded',
    folder: 'src/embedded',
    inside: true,
    imports: [...FOUNDATION, 'config', 'access'],
    holds: 'PostgreSQL and Temporal that `npm start` brings',
  },
  { name: 'commands', folder: 'src/commands', imports: FOUNDATION, holds: 'what the command line understands' },
  {
    name: 'config',
    folder: 'src',
    files: ['config.ts', 'settings.ts', 'settings-zh.ts', 'settings-files.ts', 'version.ts'],
    imports: ['errors'],
    holds: 'the settings, declared once',
  },
  { name: 'workflows', folder: 'workflows', imports: ['contracts'], holds: 'the story of each promise' },
  {
    name: 'activities',
    folder: 'activities',
    imports: [...ENGINE, 'channels', 'runs'],
    holds: 'what workflows ask of the world, one file a workflow',
  },
  {
    name: 'build',
    folder: 'src/build',
    inside: true,
    imports: '*',
    holds: 'the composition: storage, engine, administration, promises, conversation, channels, http',
  },
  {
    name: 'processes',
    folder: 'src',
    files: ['main.ts', 'server.ts', 'worker.ts', 'cli.ts', 'migrate.ts', 'import-nanobot.ts'],
    imports: '*',
    holds: 'what is started',
  },
  {
    name: 'gate',
    folder: 'gate',
    imports: ['contracts', 'engine', 'embedded', 'config', 'build'],
    holds:
      'the faults, played on the whole product ([docs/reliability.md](docs/reliability.md)): `npm run gate`, `npm run soak`',
    nobodyImports: true,
  },
]

/** Libraries that only some files may import by value. */
export const LIBRARIES = [
  { name: 'openai', pattern: '^openai', files: ['src/planner/openai-model.ts'] },
  {
    name: '@temporalio/client',
    pattern: '^@temporalio/(client|worker)',
    files: ['src/engine/temporal/**', 'src/embedded/temporal-server.ts'],
  },
  {
    name: 'Prisma',
    pattern: '^@prisma/|/generated/',
    files: ['src/engine/database.ts', 'src/**/*-store.ts', 'src/access/first-credentials.ts'],
  },
]

import tseslint from 'typescript-eslint'

/** Rooms (STYLE): what each may import by value. Types are free. A regex names what is forbidden. */
const room = (files, ...patterns) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: patterns.map(forbid) }] },
})
const forbid = ([regex, message]) => ({ regex, message, allowTypeImports: true })

const PRISMA = ['^(@prisma/|pg$|.*/generated/)', 'Only src/store (and its adapters) talks to PostgreSQL.']
const TEMPORAL_CLIENT = [
  '^@temporalio/(client|worker|testing)',
  'Only src/scheduling and the processes talk to Temporal.',
]
const OPENAI = ['^openai', 'Only src/planner/openai-model.ts talks to the model.']
const HTTP = ['(^fastify$|^@fastify/|/http/)', 'The HTTP room is not for this room.']
const STORE = ['/store/', 'Stores are handed in by dependencies.ts.']
const CHANNELS = ['/channels/(?!channel$)', 'Channels are handed in by dependencies.ts.']
const PLANNER = ['/planner/', 'The planner is not for this room.']
const WORKFLOWS = ['/workflows(/|$)', 'Workflows are imported as types only.']

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'node_modules/', 'src/store/generated/', '.punctual*/'] },
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      // Our objects are closures; none of their verbs uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config.ts reads the environment.' },
      ],
    },
  },
  {
    files: ['src/config.ts', 'src/embedded/**', 'test/**', 'bench/**', 'prisma.config.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  room(['src/contracts/**'], ['^(?!\\./)', 'Contracts import nothing but each other.']),
  room(
    ['workflows/**'],
    [
      '^(?!@temporalio/workflow$|@temporalio/common$|\\./|\\.\\./src/contracts/)',
      'Workflows import @temporalio/workflow, contracts and siblings.',
    ],
  ),
  room(['activities/**'], PRISMA, TEMPORAL_CLIENT, OPENAI, HTTP, STORE, CHANNELS, PLANNER),
  room(['src/http/**'], PRISMA, ['^@temporalio/', 'HTTP never talks to Temporal.'], OPENAI, STORE, CHANNELS),
  room(
    ['src/planner/**', 'src/tools/**', 'src/sessions/**', 'src/tasks/**'],
    PRISMA,
    ['^@temporalio/', 'Not Temporal.'],
    HTTP,
    STORE,
    CHANNELS,
    WORKFLOWS,
  ),
  room(
    ['src/planner/!(openai-model).ts', 'src/tools/**', 'src/sessions/**', 'src/tasks/**'],
    PRISMA,
    ['^@temporalio/', 'Not Temporal.'],
    OPENAI,
    HTTP,
    STORE,
    CHANNELS,
    WORKFLOWS,
  ),
  room(['src/scheduling/**'], PRISMA, OPENAI, HTTP, PLANNER, STORE, WORKFLOWS),
  room(['src/store/**'], TEMPORAL_CLIENT, OPENAI, HTTP, CHANNELS, PLANNER, ['/live/', 'Not live.']),
  room(['src/channels/**'], PRISMA, TEMPORAL_CLIENT, OPENAI, HTTP, STORE, PLANNER, ['/live/', 'Not live.']),
  room(['src/live/**'], TEMPORAL_CLIENT, OPENAI, HTTP, STORE, CHANNELS, PLANNER),
  room(
    ['src/plugins/**/*.ts', 'src/egress/**/*.ts'],
    PRISMA,
    ['^@temporalio/', 'Not Temporal.'],
    OPENAI,
    HTTP,
    STORE,
    CHANNELS,
    PLANNER,
  ),
  room(
    ['src/time/**', 'src/recurrence/**'],
    PRISMA,
    ['^@temporalio/', 'Not Temporal.'],
    OPENAI,
    HTTP,
    STORE,
    CHANNELS,
    PLANNER,
  ),
)

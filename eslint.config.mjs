import tseslint from 'typescript-eslint'

import boundaries from 'eslint-plugin-boundaries'
import { LIBRARIES, ROOMS } from './rooms.mjs'

/** How ESLint knows the files of a room. */
const elementOf = ({ folder, files }) => ({ type: folder, ...(files && { fileInternalPath: files }) })

/** Of another room only its index is imported, unless it is one of named files; the composition registers routes too. */
function importable(other, room) {
  if (other.name === room.name || other.inside || other.files) return elementOf(other)
  const routes = room.name === 'build' ? ['**/routes/*', '*routes.ts'] : []
  return { type: other.folder, fileInternalPath: ['index.ts', ...routes] }
}

const policyOf = (room) => ({
  from: { element: elementOf(room) },
  allow: ROOMS.filter(
    ({ name, nobodyImports }) =>
      name === room.name || (!nobodyImports && (room.imports === '*' || room.imports.includes(name))),
  ).map((other) => ({ to: { element: importable(other, room) } })),
})

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'node_modules/', 'src/engine/generated/', '.punctual*/'] },
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
    files: ['src/config.ts', 'src/embedded/**', 'test/**', 'bench/**', 'eval/**', 'gate/**', 'prisma.config.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['src/**/*.ts', 'workflows/**/*.ts', 'activities/**/*.ts', 'gate/**/*.ts'],
    plugins: { boundaries },
    settings: {
      'boundaries/elements': [...new Set(ROOMS.map(({ folder }) => folder))]
        .sort((a, b) => b.length - a.length)
        .map((pattern) => ({ type: pattern, pattern })),
      'import/resolver': { node: { extensions: ['.ts'] } },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        { default: 'disallow', policies: [{ allow: { dependency: { kind: 'type' } } }, ...ROOMS.map(policyOf)] },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'workflows/**/*.ts', 'activities/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: LIBRARIES.map(({ name, pattern, files }) => ({
            regex: pattern,
            message: `${name} is imported by ${files.join(', ')} alone.`,
            allowTypeImports: true,
          })),
        },
      ],
    },
  },
  ...LIBRARIES.map(({ files, pattern }) => ({
    files,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: LIBRARIES.filter((other) => other.pattern !== pattern).map((other) => ({
            regex: other.pattern,
            message: `${other.name} is not for this file.`,
            allowTypeImports: true,
          })),
        },
      ],
    },
  })),
)

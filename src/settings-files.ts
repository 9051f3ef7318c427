import { readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS } from './settings'
import type { Setting } from './settings'
import { ABOUT_ZH } from './settings-zh'

type Named = [name: string, setting: Setting]
const groups = Object.entries<Record<string, Setting>>(SETTINGS)

/** The text of .env.example. */
export function renderEnvExample(): string {
  const head = [
    '# Every setting of Punctual. All of them may be left out: "npm start" brings what it needs.',
    '# Copy this file to .env and change what you like; the real environment wins over it.',
    '# Made by "npm run settings" from src/settings.ts.',
  ]
  const body = groups.flatMap(([title, settings]) => [
    '',
    `# --- ${title}`,
    ...Object.entries(settings).flatMap(envLines),
  ])
  return [...head, ...body, ''].join('\n')
}

function envLines([name, { default: value, example, about }]: Named): string[] {
  return [`# ${about}`, value === undefined ? `# ${name}=${example ?? ''}` : `${name}=${value}`]
}

/** The rows of the table in a README; `words` says a group or a setting in its language. */
export function renderReadmeTable(head: string, words: Readonly<Record<string, string>> = {}): string {
  const rows = groups.flatMap(([title, settings]) => [
    `| **${words[title] ?? title}** | | |`,
    ...Object.entries(settings).map(
      ([name, { default: value, about }]) =>
        `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${words[name] ?? about} |`,
    ),
  ])
  return [head, '|---|---|---|', ...rows].join('\n')
}

/** The lines of the environment that docker-compose.yml passes on; what has a value of its own there stands apart. */
export function renderComposeEnvironment(): string {
  return groups
    .flatMap(([, settings]) => Object.entries(settings))
    .filter(([, { compose }]) => compose === undefined)
    .map(([name, { default: value }]) => `    ${name}: \${${name}:-${value ?? ''}}`)
    .join('\n')
}

/** Puts generated lines between the marks that stand in a file; a file without marks is an error. */
export function putBetweenMarks(file: string, lines: string, comment: (text: string) => string): string {
  const [start, end] = [comment('settings: made by npm run settings'), comment('settings: end')]
  const from = file.indexOf(start)
  const to = file.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the marks "${start}" and "${end}" are missing`)
  return `${file.slice(0, from)}${start}\n${lines}\n${file.slice(to - indentOf(file, to))}`
}

const indentOf = (file: string, at: number) => at - (file.lastIndexOf('\n', at) + 1)

const inMarkdown = (text: string) => `<!-- ${text} -->`

/** The files as they should be, from what they are now. */
export function renderSettingsFiles(read: (file: string) => string): Record<string, string> {
  return {
    '.env.example': renderEnvExample(),
    'README.md': putBetweenMarks(read('README.md'), renderReadmeTable('| setting | default | |'), inMarkdown),
    'README.zh-CN.md': putBetweenMarks(
      read('README.zh-CN.md'),
      renderReadmeTable('| 设置 | 默认 | |', ABOUT_ZH),
      inMarkdown,
    ),
    'docker-compose.yml': putBetweenMarks(
      read('docker-compose.yml'),
      renderComposeEnvironment(),
      (text) => `# ${text}`,
    ),
  }
}

if (require.main === module) {
  const files = renderSettingsFiles((file) => readFileSync(file, 'utf8'))
  for (const [file, content] of Object.entries(files)) writeFileSync(file, content)
  process.stdout.write(`${Object.keys(files).join(', ')} say what src/settings.ts says.\n`)
}

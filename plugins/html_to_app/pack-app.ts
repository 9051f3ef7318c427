import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { Zippable } from 'fflate'
import type { Language } from '../../src/contracts/words'
import type { AppName } from './app-name'
import { dressPage } from './dress-page'
import { createIcon } from './icon'
import { toManifest } from './manifest'

export interface PackedApp {
  zip: Uint8Array
  files: string[]
}

/** Unix rights in a zip stand in the upper half of the attributes; scripts must be executable. */
const EXECUTABLE = { os: 3, attrs: 0o100755 << 16 }

/** Everything the app is, in one zip. */
export function packApp(page: string, name: AppName, language: Language): PackedApp {
  const icon = createIcon(name.shown)
  const app: Record<string, Uint8Array> = {
    'index.html': strToU8(dressPage(page, { name: name.shown, color: icon.color })),
    'manifest.webmanifest': strToU8(toManifest(name, icon.color, language)),
    'icons/icon.svg': strToU8(icon.toSvg()),
    'icons/icon-192.png': icon.toPng(192),
    'icons/icon-512.png': icon.toPng(512),
  }
  const fill = createFiller(name, versionOf(app), Object.keys(app))
  const script = fill('open.sh')
  const all: Zippable = {
    ...app,
    'service-worker.js': fill('service-worker.js'),
    'serve.js': fill('serve.js'),
    'open.sh': [script, EXECUTABLE],
    'open.command': [script, EXECUTABLE],
    'open.bat': strToU8(new TextDecoder().decode(fill('open.bat')).replaceAll('\n', '\r\n')),
    'README.txt': fill(`README.${language}.txt`),
  }
  return { zip: zipSync(all, { level: 9 }), files: Object.keys(all) }
}

/** A new page is a new version: the worker then drops what it kept of the old one. */
function versionOf(files: Record<string, Uint8Array>): string {
  const hash = createHash('sha256')
  for (const bytes of Object.values(files)) hash.update(bytes)
  return hash.digest('hex').slice(0, 12)
}

function createFiller({ shown, slug }: AppName, version: string, files: string[]): (template: string) => Uint8Array {
  const [first, ...others] = portsOf(shown)
  const values: Record<string, string> = {
    __NAME__: shown,
    __SLUG__: slug,
    __VERSION__: version,
    __FILES__: JSON.stringify(['./', ...files]),
    __PORT__: String(first),
    __PORTS__: [first, ...others].join(' '),
  }
  return (template) => {
    const text = readFileSync(path.join(__dirname, 'template', template), 'utf8')
    return strToU8(text.replaceAll(/__[A-Z]+__/g, (mark) => values[mark] ?? mark))
  }
}

/** A browser keeps an app's data by address and port, so that each name has ports of its own. */
function portsOf(name: string): number[] {
  const first = 41_000 + (createHash('sha256').update(name).digest().readUInt16BE() % 2_000) * 4
  return [first, first + 1, first + 2]
}

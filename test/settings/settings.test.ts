import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readConfig } from '../../src/config'
import { PLUGIN_SETTINGS, SETTINGS } from '../../src/settings'
import type { Setting } from '../../src/settings'
import { renderSettingsFiles } from '../../src/settings-files'

const inRoot = (file: string) => path.resolve(__dirname, '../..', file)
const read = (file: string) => readFileSync(inRoot(file), 'utf8')
const declared = Object.values<Record<string, Setting>>(SETTINGS).flatMap((group) => Object.keys(group))

describe('settings', () => {
  it.each(Object.entries(renderSettingsFiles(read)))('%s is in step with the declaration', (file, content) => {
    expect(read(file)).toBe(content)
  })

  it('every one that is declared is read, and none that is not', () => {
    const asked = new Set<string>()
    const env = new Proxy(
      {},
      {
        get: (_target, name) => void asked.add(String(name)),
      },
    )
    readConfig(env)
    // Of PUNCTUAL_TEST_… and PLUGIN_… nobody is told.
    const known = [...asked].filter((name) => !name.startsWith('PUNCTUAL_TEST_'))
    expect(known.sort()).toEqual([...declared].sort())
    expect(declared).toEqual(expect.arrayContaining([...PLUGIN_SETTINGS]))
  })

  it('docker-compose.yml passes every one on, or says that it has its own', () => {
    const compose = read('docker-compose.yml')
    for (const group of Object.values<Record<string, Setting>>(SETTINGS)) {
      for (const [name, setting] of Object.entries(group)) {
        if (setting.compose !== 'none') expect(compose).toContain(`    ${name}: `)
      }
    }
  })

  it('docker-compose.yml opens the page to others without opening the workflows, which have no login', () => {
    const published = read('docker-compose.yml')
      .split('\n')
      .filter((line) => /^ {6}- .*BIND_ADDRESS|^ {6}- ["']?\d*:?\d+:\d+/.test(line))
    expect(published.map((line) => /\$\{(\w*BIND_ADDRESS):-127\.0\.0\.1\}/.exec(line)?.[1])).toEqual([
      'BIND_ADDRESS',
      'TEMPORAL_UI_BIND_ADDRESS',
    ])
  })

  it('says everything that is wrong at once, without showing a secret', () => {
    const env = {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      JWT_SECRET: 'short-canary',
      PUNCTUAL_TIMEZONE: 'Mars/Olympus',
      DATABASE_URL: 'mysql://user:canary@db',
      UNIFIED_SESSION: 'perhaps',
    }
    const said = (() => {
      try {
        readConfig(env)
        return 'nothing'
      } catch (error) {
        return String(error)
      }
    })()
    for (const name of Object.keys(env)) expect(said).toContain(name)
    expect(said).not.toContain('canary')
  })

  it('has the defaults that it declares', () => {
    expect(readConfig({})).toMatchObject({ port: 3000, timezone: 'Asia/Shanghai', unifiedSession: false })
    expect(readConfig({ TEMPORAL_API_KEY: 'x' }).temporal.tls.enabled).toBe(true)
    expect(readConfig({ TEMPORAL_API_KEY: 'x', TEMPORAL_TLS_ENABLED: 'no' }).temporal.tls.enabled).toBe(false)
  })
})

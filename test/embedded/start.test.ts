import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { readMark } from '../../src/embedded/lock'
import { isAlive } from '../../src/embedded/process'
import { waitUntil } from '../../src/embedded/wait'
import { createTestDatabase, createTestFolder, findFreePort, takeNamespace, temporalAddress } from '../support/services'

const root = path.resolve(__dirname, '../..')

interface Start {
  npm: ChildProcess
  output(): string
  url: string
  dataDir: string
  port: number
}

/** `npm start` as a person would: in a process group of its own, with nothing set but where to keep its data. */
function npmStart(dataDir: string, port: number, settings: Record<string, string> = {}): Start {
  const { PATH, HOME, PUNCTUAL_CACHE_DIR, XDG_CACHE_HOME } = process.env
  const npm = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      PUNCTUAL_CACHE_DIR,
      XDG_CACHE_HOME,
      PUNCTUAL_DATA_DIR: dataDir,
      PORT: String(port),
      ...settings,
    },
  })
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { npm, output: () => output, url: `http://127.0.0.1:${port}`, dataDir, port }
}

async function untilAnswers(start: Start, route: string, timeoutMs: number): Promise<void> {
  const answers = () =>
    fetch(start.url + route, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.status === 200,
      () => false,
    )
  const ended = () => start.npm.exitCode !== null
  const inTime = await waitUntil(async () => ended() || (await answers()), { timeoutMs, everyMs: 100 })
  if (!inTime || ended()) throw new Error(`${route} does not answer:\n${start.output()}`)
}

/** 0 while there is none: a server that begins anew takes away the mark of the one before. */
function postmasterOf(file: string): number {
  try {
    return Number(fs.readFileSync(file, 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

/** The pids of the four processes, and of the one above them. */
function findProcesses(dataDir: string) {
  const main = readMark(path.join(dataDir, 'lock.json'))?.pid ?? 0
  const list = spawnSync('ps', ['-ww', '-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).stdout
  const child = (script: string) => {
    const line = list.split('\n').find((row) => row.includes(script) && Number(row.trim().split(/\s+/)[1]) === main)
    return Number(line?.trim().split(/\s+/)[0] ?? 0)
  }
  return {
    main,
    'front door': child('server.js'),
    worker: child('worker.js'),
    Temporal: readMark(path.join(dataDir, 'temporal', 'temporal.pid.json'))?.pid ?? 0,
    PostgreSQL: postmasterOf(path.join(dataDir, 'postgres', 'postmaster.pid')),
  }
}

const isUp = (start: Start) => start.output().includes('Punctual is ready.')

describe('npm start with settings', () => {
  it('starts nothing of its own when both services are given', async () => {
    const database = await createTestDatabase()
    const dataDir = createTestFolder('start')
    const start = npmStart(dataDir, await findFreePort(), {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: takeNamespace(),
    })
    await untilAnswers(start, '/readyz', 170_000)
    expect(await waitUntil(() => isUp(start), { timeoutMs: 60_000 })).toBe(true)
    expect(fs.readdirSync(dataDir).filter((name) => /postgres|temporal/.test(name))).toEqual([])
    const closed = once(start.npm, 'close')
    process.kill(-(start.npm.pid ?? 0), 'SIGINT')
    await closed
    expect(fs.existsSync(path.join(dataDir, 'lock.json'))).toBe(false)
    await database.drop()
  }, 300_000)

  it('names every setting that cannot be used', async () => {
    const start = npmStart(createTestFolder('start'), 99_999, { DATABASE_URL: 'mysql://nowhere' })
    await once(start.npm, 'close')
    expect(start.npm.exitCode).toBe(1)
    expect(start.output()).toMatch(/PORT=99999[^]*DATABASE_URL/)
  }, 200_000)
})

describe('npm start', () => {
  let start: Start

  beforeAll(async () => {
    start = npmStart(createTestFolder('start'), await findFreePort())
    await untilAnswers(start, '/healthz', 170_000)
    await waitUntil(() => isUp(start), { timeoutMs: 60_000 })
  }, 240_000)

  afterAll(() => {
    if (start.npm.exitCode === null && start.npm.signalCode === null) process.kill(-(start.npm.pid ?? 0), 'SIGKILL')
  })

  it('says where to go', () => {
    const output = start.output()
    for (const part of [`${start.url}/`, `${start.url}/docs`, 'credentials.json', 'offline model', '#token=']) {
      expect(output).toContain(part)
    }
    expect(fs.statSync(path.join(start.dataDir, 'credentials.json')).mode & 0o777).toBe(0o600)
    expect(fs.statSync(path.join(start.dataDir, 'instance.json')).mode & 0o777).toBe(0o600)
  })

  it.each(['front door', 'worker', 'Temporal', 'PostgreSQL'] as const)(
    'recovers by itself after kill -9 of the %s',
    async (name) => {
      await untilAnswers(start, '/readyz', 60_000)
      const before = findProcesses(start.dataDir)
      process.kill(before[name], 'SIGKILL')
      const isReplaced = () => ![0, before[name]].includes(findProcesses(start.dataDir)[name])
      expect(await waitUntil(isReplaced, { timeoutMs: 60_000, everyMs: 200 })).toBe(true)
      await untilAnswers(start, '/readyz', 60_000)
      expect(start.output()).toContain(`${name} ended`)
      expect(findProcesses(start.dataDir).main).toBe(before.main)
    },
    150_000,
  )

  it('refuses a second start on the same data folder, and one on the same port', async () => {
    const [sameFolder, samePort] = [
      npmStart(start.dataDir, await findFreePort()),
      npmStart(createTestFolder('start'), start.port),
    ]
    await Promise.all([once(sameFolder.npm, 'close'), once(samePort.npm, 'close')])
    expect(sameFolder.npm.exitCode).toBe(1)
    expect(sameFolder.output()).toContain('already running')
    expect(samePort.npm.exitCode).toBe(1)
    expect(samePort.output()).toContain('Set PORT')
    await untilAnswers(start, '/readyz', 10_000)
  }, 60_000)

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'stops everything when npm itself gets %s',
    async (signal) => {
      const processes = findProcesses(start.dataDir)
      start.npm.kill(signal)
      const left = () => Object.values(processes).filter(isAlive)
      expect(await waitUntil(() => left().length === 0, { timeoutMs: 45_000 })).toBe(true)
      start = npmStart(start.dataDir, start.port)
      await untilAnswers(start, '/readyz', 90_000)
      await waitUntil(() => isUp(start), { timeoutMs: 60_000 })
    },
    200_000,
  )

  it('takes up again what a killed start left behind, even one killed while a child was starting', async () => {
    const earlier = findProcesses(start.dataDir)
    process.kill(earlier.worker, 'SIGKILL')
    const isStarting = () => ![0, earlier.worker].includes(findProcesses(start.dataDir).worker)
    expect(await waitUntil(isStarting, { timeoutMs: 30_000, everyMs: 20 })).toBe(true)
    const before = findProcesses(start.dataDir)
    process.kill(before.main, 'SIGKILL')
    const childrenGone = () => !isAlive(before['front door']) && !isAlive(before.worker)
    expect(await waitUntil(childrenGone, { timeoutMs: 30_000 })).toBe(true)

    start = npmStart(start.dataDir, start.port)
    await untilAnswers(start, '/readyz', 90_000)
    await waitUntil(() => isUp(start), { timeoutMs: 60_000 })
    const after = findProcesses(start.dataDir)
    expect(after).toMatchObject({ Temporal: before.Temporal, PostgreSQL: before.PostgreSQL })
    expect(start.output()).toContain('was still running')
  }, 180_000)

  it('stops everything on Ctrl-C, open streams too, and leaves no process behind', async () => {
    const processes = findProcesses(start.dataDir)
    const { api_key: key } = JSON.parse(fs.readFileSync(path.join(start.dataDir, 'credentials.json'), 'utf8')) as {
      api_key: string
    }
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const said = await fetch(`${start.url}/api/ai/chat`, { method: 'POST', headers, body: '{"message":"hello"}' })
    const { data } = (await said.json()) as { data: { session_key: string } }
    const events = `/api/v1/sessions/${encodeURIComponent(data.session_key)}/events`
    const stream = await fetch(start.url + events, { headers })
    const streamed = stream.text().catch((error: unknown) => `cut off: ${String(error)}`)
    const closed = once(start.npm, 'close')
    process.kill(-(start.npm.pid ?? 0), 'SIGINT')
    await closed
    expect(await streamed).toContain('welcome')
    const left = Object.entries(processes).filter(([, pid]) => isAlive(pid))
    expect(left).toEqual([])
    expect(fs.existsSync(path.join(start.dataDir, 'lock.json'))).toBe(false)
  }, 60_000)
})

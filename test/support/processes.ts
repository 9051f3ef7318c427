import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { transformFile } from '@swc/core'
import type { Product } from './product'
import { testDir, temporalAddress, workflowBundlePath } from './services'
import { noteWorkerProcess } from './worker-processes'

const root = path.resolve(__dirname, '../..')
const CODE = ['src', 'workflows', 'activities']
const READY_WITHIN_MS = 90_000

/** A front door or a worker as a process of its own, to be killed, paused and watched by its pid. */
export interface ProductProcess {
  pid: number
  /** Where a front door listens. */
  url: string
  /** How it ended: the signal or the exit code. */
  ended: Promise<string>
  isRunning(): boolean
  output(): string
  signal(name: NodeJS.Signals): void
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>
}

const started = new Set<ProductProcess>()

/** Starts `src/server.ts` or `src/worker.ts` with nothing in its environment but what is given. */
export async function startProcess(part: 'server' | 'worker', settings: Record<string, string>) {
  const { PATH, HOME } = process.env
  if (part === 'worker') noteWorkerProcess(settings['DATABASE_URL'] ?? '')
  const child = fork(path.join(await ensureBuilt(), 'src', `${part}.js`), [], {
    execArgv: [],
    env: { PATH, HOME, LOG_LEVEL: 'warn', PORT: '0', PUNCTUAL_TURNS_PER_PERSON: '1000000', ...settings },
    // The channel closes when this process ends in any way, and the child then ends by itself.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<string>((resolve) => child.once('exit', (code, name) => resolve(name ?? `code ${code}`)))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const running: ProductProcess = {
    pid: child.pid ?? 0,
    url: '',
    ended,
    isRunning,
    output: () => output,
    signal: (name) => void child.kill(name),
    async kill() {
      if (isRunning()) child.kill('SIGKILL')
      await ended
      started.delete(running)
    },
  }
  started.add(running)
  running.url = await untilReady(child, running)
  return running
}

/** For `afterAll`: ends every process of this file, paused ones too. */
export async function endProcesses(): Promise<void> {
  await Promise.all([...started].map((running) => running.kill()))
}

/** What a process needs to join a product that a test has built. */
export function settingsOf({ parts }: Product): Record<string, string> {
  const { model, temporal, databaseUrl } = parts.config
  return {
    DATABASE_URL: databaseUrl ?? '',
    TEMPORAL_ADDRESS: temporal.address ?? temporalAddress(),
    TEMPORAL_NAMESPACE: temporal.namespace,
    PUNCTUAL_DATA_DIR: testDir(),
    JWT_SECRET: 'test-only-0123456789-0123456789-0123456789',
    ...(model.baseUrl === undefined ? {} : { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' }),
  }
}

function untilReady(child: ChildProcess, running: ProductProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${running.output()}`)), READY_WITHIN_MS)
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type !== 'ready') return
      clearTimeout(timer)
      resolve(message.url ?? '')
    })
    void running.ended.then((how) => {
      clearTimeout(timer)
      reject(new Error(`it ended with ${how} before it was ready:\n${running.output()}`))
    })
  })
}

let built: Promise<string> | undefined
export const ensureBuilt = () => (built ??= build())

/** The code as it stands, compiled once a run beside its workflow bundle, in the shape of `dist`. */
async function build(): Promise<string> {
  const target = path.join(testDir(), 'build')
  if (fs.existsSync(target)) return target
  const draft = fs.mkdtempSync(path.join(testDir(), 'build-'))
  await Promise.all(CODE.flatMap(listFiles).map((file) => place(file, draft)))
  for (const name of ['node_modules', 'package.json', 'prisma', 'dist/web']) {
    fs.symlinkSync(path.join(root, name), path.join(draft, path.basename(name)))
  }
  fs.copyFileSync(workflowBundlePath(), path.join(draft, 'workflow-bundle.js'))
  try {
    fs.renameSync(draft, target)
  } catch {
    // Another test file was first; its build is as good.
    fs.rmSync(draft, { recursive: true, force: true })
  }
  return target
}

async function place(file: string, target: string): Promise<void> {
  const output = path.join(target, file)
  fs.mkdirSync(path.dirname(output), { recursive: true })
  if (!file.endsWith('.ts')) return fs.copyFileSync(path.join(root, file), output)
  const { code } = await transformFile(path.join(root, file), {
    swcrc: false,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  })
  fs.writeFileSync(output.replace(/\.ts$/, '.js'), code)
}

function listFiles(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(path.relative(root, entry.parentPath), entry.name))
}

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'

const root = fileURLToPath(new URL('../..', import.meta.url))
const READY_WITHIN_MS = 10 * 60_000
const STOPPED_WITHIN_MS = 60_000

/** The commit as a newcomer has it, with a data folder of its own. */
export function checkOut(commit, folder, temporal) {
  const dir = path.join(folder, 'code')
  fs.mkdirSync(dir)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 512 * 1024 * 1024 })
  execFileSync('tar', ['x', '-C', dir], { input: archive })
  takePackages(dir)
  const bin = path.join(folder, 'bin')
  fs.mkdirSync(bin)
  // "temporal" on PATH comes before any other; without it the old version brings the one it was made for.
  if (temporal) fs.symlinkSync(path.resolve(temporal), path.join(bin, 'temporal'))
  return { dir, bin, dataDir: path.join(folder, 'data') }
}

/** The same packages need not be installed again; the old version checks them and installs what differs. */
function takePackages(dir) {
  const [theirs, ours] = [dir, root].map((place) => fs.readFileSync(path.join(place, 'package-lock.json'), 'utf8'))
  if (theirs === ours) execFileSync('cp', ['-al', path.join(root, 'node_modules'), path.join(dir, 'node_modules')])
}

/** `npm start` of the old version, in a process group of its own. */
export async function startOld(checkout, settings) {
  const { PATH, HOME } = process.env
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: checkout.dir,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: `${checkout.bin}${path.delimiter}${PATH}`,
      HOME,
      LOG_LEVEL: 'warn',
      PUNCTUAL_DATA_DIR: checkout.dataDir,
      PORT: String(port),
      ...settings,
    },
  })
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  const url = `http://127.0.0.1:${port}`
  const old = { npm, url, checkout }
  const deadline = Date.now() + READY_WITHIN_MS
  while (!output.includes('Punctual is ready.')) {
    if (npm.exitCode !== null || Date.now() > deadline) throw new Error(`the old version did not start:\n${output}`)
    await sleep(200)
  }
  return old
}

/** Ctrl-C, as a person would; it drains by itself. */
export async function stopOld(old) {
  if (!old || old.npm.exitCode !== null || old.npm.signalCode !== null) return
  const { npm } = old
  const closed = once(npm, 'close', { signal: AbortSignal.timeout(STOPPED_WITHIN_MS) })
  process.kill(-npm.pid, 'SIGINT')
  await closed
}

function freePort() {
  const server = net.createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

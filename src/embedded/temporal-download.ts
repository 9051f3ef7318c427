import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { FindTemporalOptions } from './temporal-binary'
import { TEMPORAL_CLI_VERSION } from './temporal-version'

const DOWNLOAD_WITHIN_MS = 10 * 60_000

/** In a process of its own: the SDK's runtime takes over signals and cannot be stopped while it downloads. */
const SCRIPT = `
const { TestWorkflowEnvironment } = require(process.argv[1])
const executable = { type: 'cached-download', downloadDir: process.argv[2], version: process.argv[3] }
TestWorkflowEnvironment.createLocal({ server: { executable } })
  .then((environment) => environment.teardown())
  .then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1) })
`

/** The SDK can only fetch the server in order to start it, so it is started once and stopped at once. */
export async function downloadTemporal(target: string, options: FindTemporalOptions): Promise<void> {
  const { say } = options
  say('looking whether the Temporal server can be downloaded …')
  const workDir = fs.mkdtempSync(`${target}.download-`)
  try {
    await runDownload(workDir, options)
    const file = fs.readdirSync(workDir).find((name) => name.startsWith('temporal'))
    if (file === undefined) throw new Error('the SDK left no file')
    fs.renameSync(path.join(workDir, file), target)
    say('the Temporal server is downloaded')
  } finally {
    fs.rmSync(workDir, { recursive: true, force: true })
  }
}

function runDownload(downloadDir: string, { env, signal }: FindTemporalOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = ['-e', SCRIPT, require.resolve('@temporalio/testing'), downloadDir, `v${TEMPORAL_CLI_VERSION}`]
    const child = spawn(process.execPath, args, { env, signal, stdio: ['ignore', 'ignore', 'pipe'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), DOWNLOAD_WITHIN_MS)
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    child.once('error', reject)
    child.once('close', (code, killedBy) => {
      clearTimeout(timer)
      if (code === 0) resolve()
      else reject(new Error(errors.trim().split('\n').pop() || `ended with ${killedBy ?? `code ${code}`}`))
    })
  })
}

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { FindTemporalOptions } from './temporal-binary'
import { TEMPORAL_GO_VERSION } from './temporal-version'

const BUILD_WITHIN_MS = 20 * 60_000
const REPORT_EVERY_MS = 10_000

/** Builds the real CLI from source; Go fetches its modules from the Go proxy. */
export async function buildTemporal(target: string, options: FindTemporalOptions): Promise<void> {
  options.say(`building the Temporal server ${TEMPORAL_GO_VERSION} with Go; once a machine, about 4 minutes …`)
  const started = Date.now()
  const workDir = fs.mkdtempSync(`${target}.build-`)
  try {
    await goInstall(workDir, options)
    fs.renameSync(path.join(workDir, process.platform === 'win32' ? 'temporal.exe' : 'temporal'), target)
  } finally {
    fs.rmSync(workDir, { recursive: true, force: true })
  }
  options.say(`the Temporal server is built (${Math.round((Date.now() - started) / 1000)} s)`)
}

function goInstall(binDir: string, { env, say, signal }: FindTemporalOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', ['install', '-v', `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_GO_VERSION}`], {
      cwd: binDir,
      signal,
      env: { ...env, GOBIN: binDir, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GO111MODULE: 'on' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const progress = followProgress(child.stderr, say)
    const timer = setTimeout(() => child.kill('SIGKILL'), BUILD_WITHIN_MS)
    const finish = (fault?: string) => {
      clearTimeout(timer)
      progress.stop()
      if (fault === undefined) resolve()
      else reject(new Error(fault))
    }
    child.once('error', (error) => finish(`Go could not be run (${error.message})`))
    child.once('exit', (code, killedBy) =>
      finish(code === 0 ? undefined : `ended with ${killedBy ?? `code ${code}`}: ${progress.lastLines()}`),
    )
  })
}

/** `go install -v` names each package it downloads or compiles; people see a count, errors keep the last lines. */
function followProgress(stderr: NodeJS.ReadableStream, say: (line: string) => void) {
  const counts = { downloaded: 0, compiled: 0 }
  const last: string[] = []
  createInterface({ input: stderr }).on('line', (line) => {
    if (line.startsWith('go: downloading')) counts.downloaded += 1
    else counts.compiled += 1
    last.push(line)
    if (last.length > 10) last.shift()
  })
  const report = () =>
    say(`  building Temporal: ${counts.downloaded} modules downloaded, ${counts.compiled} packages compiled …`)
  const timer = setInterval(report, REPORT_EVERY_MS)
  return { stop: () => clearInterval(timer), lastLines: () => last.join(' | ') }
}

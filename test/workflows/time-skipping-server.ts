import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { resolveCacheDir } from '../../src/embedded/temporal-binary'

const VERSION = '1.31.0'
const FETCH_WITHIN_MS = 4 * 60_000

export type TimeSkippingServer = { path: string } | { missing: string }

/** A test server whose clock jumps over waits: from our cache, by the SDK's own download, or from Maven Central. */
export function findTimeSkippingServer(): TimeSkippingServer {
  const cacheDir = resolveCacheDir({ cacheDir: process.env['PUNCTUAL_CACHE_DIR'], env: process.env })
  const home = path.join(cacheDir, `temporal-test-server-${VERSION}`)
  const executable = path.join(home, 'temporal-test-server')
  const faults: string[] = []
  for (const make of [() => undefined, download, buildFromMaven]) {
    const fault = fs.existsSync(executable) ? undefined : make(home)
    if (fault !== undefined) faults.push(fault)
    if (fs.existsSync(executable)) return { path: executable }
  }
  return { missing: faults.join('; ') }
}

const DOWNLOAD = `
const { TestWorkflowEnvironment } = require(process.argv[1])
const executable = { type: 'cached-download', downloadDir: process.argv[2] }
TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
  .then((environment) => environment.teardown())
  .then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1) })
`

function download(home: string): string | undefined {
  return inDraft(home, (draft) => {
    const testing = require.resolve('@temporalio/testing')
    const ran = run(process.execPath, ['-e', DOWNLOAD, testing, draft], draft)
    const file = fs.readdirSync(draft).find((name) => name.startsWith('temporal-test-server'))
    if (ran !== undefined || file === undefined) return `download by the SDK: ${ran ?? 'it left no file'}`
    fs.renameSync(path.join(draft, file), path.join(draft, 'temporal-test-server'))
    return undefined
  })
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>punctual</groupId><artifactId>time-skipping</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version>
  </dependency></dependencies>
</project>`

const SCRIPT = `#!/bin/sh
exec java -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`

function buildFromMaven(home: string): string | undefined {
  if (spawnSync('java', ['-version']).status !== 0) return 'Maven: there is no Java'
  return inDraft(home, (draft) => {
    fs.writeFileSync(path.join(draft, 'pom.xml'), POM)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
    const fault = run('mvn', ['-q', '-B', ...goal], draft)
    if (fault !== undefined) return `Maven: ${fault}`
    fs.writeFileSync(path.join(draft, 'temporal-test-server'), SCRIPT, { mode: 0o755 })
    return undefined
  })
}

/** Half a server must never be found: it is made beside its place and moved there when it is whole. */
function inDraft(home: string, make: (draft: string) => string | undefined): string | undefined {
  fs.mkdirSync(path.dirname(home), { recursive: true })
  const draft = fs.mkdtempSync(`${home}.draft-`)
  try {
    const fault = make(draft)
    if (fault === undefined && !fs.existsSync(home)) fs.renameSync(draft, home)
    return fault
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
  }
}

function run(command: string, args: string[], cwd: string): string | undefined {
  const { status, error, stderr, stdout } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: FETCH_WITHIN_MS,
  })
  if (status === 0) return undefined
  const said = `${stderr ?? ''}${stdout ?? ''}`.trim().split('\n')[0]
  return (error?.message ?? said) || `${command} ended with ${status}`
}

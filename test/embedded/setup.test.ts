import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(__dirname, '../..')
const run = (...args: string[]) => spawnSync('node', args, { cwd: root, encoding: 'utf8' })
const build = () => run('scripts/build.mjs')

describe('what the set-up leaves', () => {
  beforeAll(() => expect(build().status).toBe(0), 240_000)

  it('is not made again while its sources stay the same, whatever their times say', () => {
    const made = ['.compiled', '.bundled', '.page', 'workflow-bundle.js', 'src/main.js', 'web/index.html']
    const times = () => made.map((name) => fs.statSync(path.join(root, 'dist', name)).mtimeMs)
    const program = () => fs.statSync(path.join(root, 'dist/src/main.js')).mtimeMs
    const before = times()
    expect(build()).toMatchObject({ status: 0, stderr: '' })
    expect(times()).toEqual(before)
    // As a fresh checkout of the same commit would have it.
    fs.utimesSync(path.join(root, 'src/main.ts'), new Date(), new Date())
    const unchanged = program()
    expect(build()).toMatchObject({ status: 0, stderr: '' })
    expect(program()).toBe(unchanged)
  }, 240_000)

  it('starts a process above the others that loads none of what they are for', () => {
    const { stdout } = run('-p', `require('./dist/src/main.js'); Object.keys(require.cache).join('\\n')`)
    const loaded = stdout.split('\n').map((file) => path.relative(root, file))
    expect(loaded).toContain('dist/src/embedded/supervise.js')
    const rooms =
      'planner|conversation|http|reminders|runs|automations|tasks|push|channels|promises|offline-model|build'
    const packages = 'fastify|openai|grammy|undici|luxon|typebox|ajv|pino|@temporalio/.*|@grpc/.*'
    const foreign = new RegExp(`^(dist/src/(${rooms})/|node_modules/(${packages})/)`)
    expect(loaded.filter((file) => foreign.test(file))).toEqual([])
  }, 240_000)

  it('does not load into a front door or a worker what it may never use', () => {
    for (const program of ['server', 'worker']) {
      const { stdout } = run('-p', `require('./dist/src/${program}.js'); Object.keys(require.cache).join('\\n')`)
      const packages = /node_modules\/(grammy|undici|openai|chrono-node|standardwebhooks|@modelcontextprotocol)\//
      expect(stdout).toContain('/dist/src/build/product.js')
      expect(stdout.split('\n').filter((file) => packages.test(file))).toEqual([])
    }
  }, 240_000)
})

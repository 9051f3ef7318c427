import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { createTestFolder, findFreePort } from '../support/services'

const root = path.resolve(__dirname, '../..')

async function consult(settings: Record<string, string> = {}) {
  const { PATH, HOME } = process.env
  const place = { PUNCTUAL_DATA_DIR: createTestFolder('doctor'), PORT: String(await findFreePort()) }
  const env = { PATH, HOME, ...place, ...settings }
  return spawnSync('node', ['scripts/run.mjs', 'doctor'], { cwd: root, env, encoding: 'utf8' })
}

describe('npm run doctor', () => {
  it('finds nothing in the way of a start with no settings', async () => {
    const { status, stdout } = await consult()
    expect(stdout).toMatch(
      /ok +clock[^]*ok +disk[^]*ok +port[^]*offline model[^]*ok +channels[^]*Nothing stands in the way/,
    )
    expect(status).toBe(0)
  }, 120_000)

  it('says of each service that does not answer what to do about it', async () => {
    const nobody = `127.0.0.1:${await findFreePort()}`
    const { status, stdout } = await consult({
      DATABASE_URL: `postgresql://nobody@${nobody}/none`,
      TEMPORAL_ADDRESS: nobody,
      OPENAI_BASE_URL: `http://${nobody}/v1`,
    })
    for (const setting of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'OPENAI_BASE_URL']) {
      expect(stdout).toMatch(new RegExp(`→ start it, or mend ${setting}`))
    }
    expect(stdout).toContain('3 to mend')
    expect(status).toBe(1)
  }, 120_000)
})

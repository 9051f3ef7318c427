import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createWhole, writeWhole } from '../../src/engine/files'

let folder: string
beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'files-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a file is replaced as a whole, for us alone to read, and leaves no draft behind', async () => {
  const file = path.join(folder, 'new', 'kept.json')
  await writeWhole(file, 'first')
  await Promise.all(['second', 'third!'].map((text) => writeWhole(file, text)))
  expect(['second', 'third!']).toContain(await readFile(file, 'utf8'))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(path.dirname(file))).toEqual(['kept.json'])
})

test('of several who make a file at once one wins, and its words stay', async () => {
  const file = path.join(folder, 'secret')
  const texts = ['a', 'b', 'c']
  const won = await Promise.all(texts.map((text) => createWhole(file, text)))
  expect(won.filter(Boolean)).toHaveLength(1)
  expect(await readFile(file, 'utf8')).toBe(texts[won.indexOf(true)])
  expect(await readdir(folder)).toEqual(['secret'])
})

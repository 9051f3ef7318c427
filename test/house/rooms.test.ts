import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface Room {
  name: string
  folder: string
  files?: string[]
  imports: '*' | string[]
  holds: string
}

const root = path.resolve(__dirname, '../..')
const script = "import('./rooms.mjs').then(({ ROOMS }) => process.stdout.write(JSON.stringify(ROOMS)))"
const rooms = JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })) as Room[]

/** How ARCHITECTURE.md shows a room. */
function rowOf({ folder, files, holds, imports }: Room): string {
  const places = files ? files.map((file) => `\`src/${file}\``).join(', ') : `\`${folder}\``
  const allowed = imports === '*' ? 'everything' : imports.join(', ') || 'nothing'
  return `| ${places} | ${holds} | ${allowed} |`
}

test('ARCHITECTURE.md shows the rooms that the linter checks', () => {
  const shown = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
  for (const room of rooms) expect(shown).toContain(rowOf(room))
})

test('every folder and file of src belongs to a room', () => {
  const known = rooms.flatMap(({ folder, files }) => files?.map((file) => `src/${file}`) ?? [folder])
  const found = readdirSync(path.join(root, 'src')).map((name) => `src/${name}`)
  expect(found.filter((place) => !known.includes(place))).toEqual([])
  expect(known.filter((place) => !existsSync(path.join(root, place)))).toEqual([])
})

test('no room imports one that may import it', () => {
  const byName = new Map(rooms.map((room) => [room.name, room]))
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    const { imports } = byName.get(from)!
    if (imports === '*' || seen.has(from)) return false
    seen.add(from)
    return imports.includes(to) || imports.some((next) => reaches(next, to, seen))
  }
  expect(rooms.filter(({ name }) => reaches(name, name)).map(({ name }) => name)).toEqual([])
})

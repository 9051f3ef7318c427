import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Not `import.meta.dirname`: a Node too old for it must still reach the message that says so.
export const root = fileURLToPath(new URL('../..', import.meta.url))
export const inRoot = (...parts) => path.join(root, ...parts)

/** Every file below the given paths (relative to the root), sorted; missing paths count as empty. */
export function listFiles(paths, skip = () => false) {
  const found = []
  const visit = (relative) => {
    const full = inRoot(relative)
    if (!existsSync(full) || skip(relative)) return
    if (!statSync(full).isDirectory()) return void found.push(relative)
    for (const name of readdirSync(full).sort()) visit(path.join(relative, name))
  }
  paths.forEach(visit)
  return found
}

/** One hash over names and contents. Contents, not times: a fresh checkout must not look changed. */
export function hashFiles(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(inRoot(file)))
      .update('\0')
  return hash.digest('hex')
}

/** Names, sizes and times: what tells without reading anything that nothing was touched. */
function glanceAt(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const { size, mtimeMs } = statSync(inRoot(file))
    hash.update(`${file}\0${size}\0${mtimeMs}\0`)
  }
  return hash.digest('hex')
}

/** Whether a step was last run with these inputs. They are read only when a glance says that some may have changed. */
export function isStamped(stampFile, files) {
  if (!existsSync(stampFile)) return false
  const [hash, glance] = readFileSync(stampFile, 'utf8').split('\n')
  if (glance === glanceAt(files)) return true
  if (hash !== hashFiles(files)) return false
  stamp(stampFile, files, hash)
  return true
}

/** Remembers the inputs a step was run with, by the hash that was taken before it ran. */
export function stamp(stampFile, files, hash) {
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, `${hash}\n${glanceAt(files)}\n`)
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']*)'/g

/** The given files and, by their relative imports, all that they need; so an input is never forgotten. */
export function withImports(files) {
  const found = new Set()
  const visit = (file) => {
    if (found.has(file)) return
    found.add(file)
    if (!/\.tsx?$/.test(file)) return
    for (const [, name] of readFileSync(inRoot(file), 'utf8').matchAll(IMPORT)) {
      const target = path.join(path.dirname(file), name)
      const known = ['', '.ts', '.tsx', '/index.ts'].map((end) => target + end).find(isFile)
      if (known) visit(known)
    }
  }
  files.forEach(visit)
  return [...found].sort()
}

const isFile = (file) => statSync(inRoot(file), { throwIfNoEntry: false })?.isFile() === true

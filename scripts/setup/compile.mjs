import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { hashFiles, inRoot, isStamped, listFiles, root, stamp } from './files.mjs'
import { runCommand, step } from './progress.mjs'

const CODE = ['src', 'workflows', 'activities', 'plugins', 'bench']
/** Read at run time by their place beside the code, so dist mirrors the tree and `__dirname` works in both. */
const ASSETS = [...CODE, 'prisma/migrations', 'package.json']
const CONFIG = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json']

const isCode = (file) => file.endsWith('.ts')
const isOutside = (name) => name.split(path.sep).includes('node_modules')
const codeFiles = () => [...listFiles(CODE, isOutside).filter(isCode), ...CONFIG]
const assetFiles = () => listFiles(ASSETS, isOutside).filter((file) => !isCode(file) && !file.endsWith('.stamp'))

const compileStamp = inRoot('dist', '.compiled')
const assetStamp = inRoot('dist', '.copied')

export const isCompiled = () => isStamped(compileStamp, hashFiles(codeFiles()))
export const areAssetsCopied = () => isStamped(assetStamp, hashFiles(assetFiles()))

export async function compile() {
  const hash = hashFiles(codeFiles())
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc')
  await step('compiling', () => runCommand(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root }))
  prune()
  stamp(compileStamp, hash)
}

export function copyAssets() {
  const hash = hashFiles(assetFiles())
  for (const file of assetFiles()) {
    const target = inRoot('dist', file)
    mkdirSync(path.dirname(target), { recursive: true })
    copyFileSync(inRoot(file), target)
  }
  prune()
  stamp(assetStamp, hash)
}

/** Output whose source is gone would still be loaded (plugins, migrations): remove it. */
function prune() {
  for (const output of listFiles(ASSETS.map((name) => path.join('dist', name)))) {
    const source = path.relative('dist', output)
    const typescript = source.replace(/\.js(\.map)?$/, '.ts')
    if (!existsSync(inRoot(source)) && !existsSync(inRoot(typescript))) rmSync(inRoot(output))
  }
}

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hashFiles, inRoot, isStamped, listFiles, stamp } from './files.mjs'
import { SetupError, step } from './progress.mjs'

const CODE = ['src', 'workflows', 'activities', 'plugins', 'bench', 'eval', 'gate']
/** Read at run time by their place beside the code, so dist mirrors the tree and `__dirname` works in both. */
const ASSETS = [...CODE, 'prisma/migrations', 'package.json']
const CONFIG = ['scripts/setup/compile.mjs', 'package-lock.json']

/** What most processes never or rarely use, and what would cost each of them memory and a good part of its start. */
const LOADED_WHEN_USED = [
  '@node-rs/argon2',
  'ajv/dist/2020',
  'chrono-node/en',
  'cronstrue/i18n',
  'fflate',
  'grammy',
  'openai',
  'openai/streaming',
  'standardwebhooks',
  'typebox/value',
  'undici',
]

const isCode = (file) => file.endsWith('.ts')
const isOutside = (name) => name.split(path.sep).includes('node_modules')
const codeFiles = () => listFiles(CODE, isOutside).filter(isCode)
const compileInputs = () => [...codeFiles(), ...CONFIG]
const assetFiles = () => listFiles(ASSETS, isOutside).filter((file) => !isCode(file) && !file.endsWith('.stamp'))

const compileStamp = inRoot('dist', '.compiled')
const assetStamp = inRoot('dist', '.copied')

export const isCompiled = () => isStamped(compileStamp, compileInputs())
export const areAssetsCopied = () => isStamped(assetStamp, assetFiles())

/** Only takes the types away, which is a hundred times faster than checking them; `npm run typecheck` does that. */
export async function compile() {
  const hash = hashFiles(compileInputs())
  const { transform } = await import('@swc/core')
  await step('compiling', () => Promise.all(codeFiles().map((file) => compileFile(transform, file))))
  prune()
  stamp(compileStamp, compileInputs(), hash)
}

async function compileFile(transform, file) {
  const target = inRoot('dist', file.replace(/\.ts$/, '.js'))
  const folder = path.dirname(target)
  const output = await transform(readFileSync(inRoot(file), 'utf8'), {
    filename: inRoot(file),
    sourceFileName: path.relative(folder, inRoot(file)),
    sourceMaps: true,
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    // Packages that are only ES modules are loaded by a dynamic import that must stay one.
    module: { type: 'commonjs', ignoreDynamic: true, lazy: LOADED_WHEN_USED },
  }).catch((error) => {
    throw new SetupError(`${file} cannot be compiled: ${error.message}`)
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(target, `${output.code}//# sourceMappingURL=${path.basename(target)}.map\n`)
  writeFileSync(`${target}.map`, output.map)
}

export function copyAssets() {
  const hash = hashFiles(assetFiles())
  for (const file of assetFiles()) {
    const target = inRoot('dist', file)
    mkdirSync(path.dirname(target), { recursive: true })
    copyFileSync(inRoot(file), target)
  }
  prune()
  stamp(assetStamp, assetFiles(), hash)
}

/** Output whose source is gone would still be loaded (plugins, migrations): remove it. */
function prune() {
  for (const output of listFiles(ASSETS.map((name) => path.join('dist', name)))) {
    const source = path.relative('dist', output)
    const typescript = source.replace(/\.js(\.map)?$/, '.ts')
    if (!existsSync(inRoot(source)) && !existsSync(inRoot(typescript))) rmSync(inRoot(output))
  }
}

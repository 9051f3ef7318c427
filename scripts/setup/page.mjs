import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { hashFiles, inRoot, isStamped, listFiles, stamp, withImports } from './files.mjs'
import { step } from './progress.mjs'

const pageStamp = inRoot('dist', '.page')
const inputs = () => [...withImports(listFiles(['web'])), 'scripts/setup/page.mjs', 'package-lock.json']

export const isPageBuilt = () => isStamped(pageStamp, inputs()) && listFiles(['dist/web']).length > 0

/** Names hold the hash of their content, and each file is compressed once here and not at every request. */
export async function buildPage() {
  const hash = hashFiles(inputs())
  await step('building the page', async () => {
    const { build } = await import('vite')
    rmSync(inRoot('dist', 'web'), { recursive: true, force: true })
    await build({
      configFile: false,
      root: inRoot('web'),
      logLevel: 'warn',
      build: {
        outDir: inRoot('dist', 'web'),
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
    })
    for (const file of listFiles(['dist/web'])) compress(inRoot(file))
  })
  stamp(pageStamp, inputs(), hash)
}

function compress(file) {
  const content = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
}

import { hashFiles, inRoot, isStamped, listFiles, root, stamp } from './files.mjs'
import { runCommand, step } from './progress.mjs'

const generateStamp = inRoot('src', 'engine', 'generated', '.stamp')
const isMigration = (file) => file.startsWith('prisma/migrations')
const inputs = () => [...listFiles(['prisma'], isMigration), 'prisma.config.ts', 'package-lock.json']

export const hasSchema = () => listFiles(['prisma/schema.prisma']).length > 0
export const isGenerated = () => !hasSchema() || isStamped(generateStamp, inputs())

/** prisma.config.ts names a schema engine that needs no download where the native one is missing. */
export async function generate() {
  const hash = hashFiles(inputs())
  await step('generating the Prisma client', () =>
    runCommand(process.execPath, [inRoot('node_modules', 'prisma', 'build', 'index.js'), 'generate', '--no-hints'], {
      cwd: root,
      quiet: true,
      env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
    }),
  )
  stamp(generateStamp, inputs(), hash)
}

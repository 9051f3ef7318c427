import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'prisma/config'

// Prisma downloads its native schema engine from its own host. Where it is missing (a locked-down network), the same
// engine's WebAssembly build from the npm registry serves the CLI instead.
const engines = path.resolve('node_modules/@prisma/engines')
const hasNative = existsSync(engines) && readdirSync(engines).some((file) => file.startsWith('schema-engine-'))
if (!hasNative && process.platform !== 'win32') {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= path.resolve('scripts/schema-engine.mjs')
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // The address only matters to `prisma migrate`; generating needs none.
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://localhost:5433/punctual' },
})

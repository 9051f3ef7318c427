import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** The web page: files only, known at boot, open to all; it signs in by itself. */
export async function servePage(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, auth: 'public' }
      route.schema = { ...route.schema, hide: true }
    })
    await scope.register(fastifyStatic, { root: findWebFolder(__dirname), wildcard: false, cacheControl: false })
  })
}

/** `web/` is beside `src/`, and the built code lies one folder deeper. */
function findWebFolder(from: string): string {
  const folder = path.join(from, 'web')
  if (existsSync(path.join(folder, 'index.html'))) return folder
  const parent = path.dirname(from)
  if (parent === from) throw new Error('the folder web/ is missing')
  return findWebFolder(parent)
}

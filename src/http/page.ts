import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** The page asks nobody but us, runs nothing but its own files, and writes no HTML from text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** What is served of the folder; the compressed copies beside the files are sent in their place. */
const SERVED = new Set(['.html', '.js', '.css', '.svg', '.webmanifest'])

/** The web page: files only, known at boot, open to all; it signs in by itself. */
export async function servePage(app: FastifyInstance): Promise<void> {
  const root = findBuiltPage(__dirname)
  await app.register(async (page) => {
    await page.register(fastifyStatic, {
      root,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, file) => setHeaders(reply, path.relative(root, file)),
    })
    page.addHook('onSend', async (_request, reply) => nameScripts(reply))
    for (const file of listFiles(root)) {
      const urls = file === 'index.html' ? ['/', '/index.html'] : [`/${file}`]
      for (const url of urls) {
        page.get(url, { config: { auth: 'public' }, schema: { hide: true } }, (_request, reply) => reply.sendFile(file))
      }
    }
  })
}

/** The names of assets hold their hash, so these never change. */
function setHeaders(reply: FastifyReply, file: string): void {
  const isImmutable = file.startsWith(`assets${path.sep}`)
  reply
    .header('content-security-policy', POLICY)
    .header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
}

/** The library still calls scripts by the name that RFC 9239 made obsolete. */
function nameScripts(reply: FastifyReply): void {
  if (!String(reply.getHeader('content-type')).startsWith('application/javascript')) return
  reply.header('content-type', 'text/javascript; charset=utf-8')
}

function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SERVED.has(path.extname(entry.name)))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
}

/** In the repository it lies in dist/web; in the build and in an image beside src. The source folder has no assets. */
function findBuiltPage(from: string): string {
  const found = [path.join(from, 'dist', 'web'), path.join(from, 'web')].find((folder) =>
    existsSync(path.join(folder, 'assets')),
  )
  if (found !== undefined) return found
  const parent = path.dirname(from)
  if (parent === from) throw new Error('the page is not built: run "npm run build"')
  return findBuiltPage(parent)
}

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadPageFiles } from './page-files'
import type { PageFile } from './page-files'

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

/** The web page: files only, known at boot, open to all; it signs in by itself. */
export async function servePage(app: FastifyInstance): Promise<void> {
  const files = loadPageFiles(findBuiltPage(__dirname))
  for (const file of files) {
    const urls = file.path === '/index.html' ? ['/', '/index.html'] : [file.path]
    for (const url of urls) {
      app.get(url, { config: { auth: 'public' }, schema: { hide: true } }, async (request, reply) =>
        send(file, request, reply),
      )
    }
  }
}

function send(file: PageFile, request: FastifyRequest, reply: FastifyReply) {
  reply
    .header('content-security-policy', POLICY)
    .header('content-type', file.contentType)
    .header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && new RegExp(`\\b${name}\\b`).test(accepted))
  if (!encoding) return reply.send(file.identity)
  return reply.header('content-encoding', encoding).send(file[encoding])
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

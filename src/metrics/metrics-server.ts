import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A worker has no front door; where it is asked for, its figures are served on a port of their own. */
export async function serveMetrics(
  metrics: { contentType: string; render(): Promise<string> },
  { host, port }: { host: string; port: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.render().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host}:${taken}/metrics`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

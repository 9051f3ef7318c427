import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpObservation {
  method: string
  route: string
  status: number
  seconds: number
}

/** What the HTTP room needs of the process's figures. */
export interface Metrics {
  contentType: string
  render(): Promise<string>
  observeRequest(observation: HttpObservation): void
}

/** The registry of one process: its own figures and those of HTTP. Others add theirs to `registry`. */
export function createMetrics(): Metrics & { registry: Registry } {
  const registry = new Registry()
  // Watching the event loop wakes a process a hundred times a second: that begins when somebody first asks for figures.
  let watching = false
  const watch = () => {
    if (!watching) collectDefaultMetrics({ register: registry })
    watching = true
  }
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request; live streams are left out.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  return {
    registry,
    contentType: registry.contentType,
    render: () => {
      watch()
      return registry.metrics()
    },
    observeRequest: ({ method, route, status, seconds }) => duration.observe({ method, route, status }, seconds),
  }
}

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

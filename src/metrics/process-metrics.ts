import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

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
  collectDefaultMetrics({ register: registry })
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
    render: () => registry.metrics(),
    observeRequest: ({ method, route, status, seconds }) => duration.observe({ method, route, status }, seconds),
  }
}

/** Figures for Prometheus. What is here is for the other rooms; the rest is the inside. */
export { createDomainMetrics } from './domain-metrics'
export { serveMetrics } from './metrics-server'
export { createMetrics } from './process-metrics'

/** Figures for Prometheus. What is here is for the other rooms; the rest is the inside. */
export { createDomainMetrics } from './domain-metrics'
export { createMetrics, serveMetrics } from './process-metrics'

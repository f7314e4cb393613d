/** What the service counts of itself. */
export { createMetrics, type Metrics } from './metrics.ts';

/** The service's metrics. */
export { createMetrics, type Metrics } from './metrics.ts';

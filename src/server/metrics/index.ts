/** The service's metrics. */
export { createMetrics, listMetrics, type MetricDescription, type Metrics } from './metrics.ts';

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How a request ended, for logs and counters. */
export type Outcome =
  | 'free'
  | 'sold'
  | 'repeated'
  | 'owed'
  | 'failed'
  | 'refused'
  | 'closed'
  | 'own'
  | 'unpaid'
  | 'error';

export interface Counters {
  request(outcome: Outcome, seconds: number): void;
  /** @param units atomic units that were paid */
  sale(units: bigint): void;
  /** Prometheus text. */
  text(): Promise<string>;
}

/** @param owed returns the number of sales that are paid and not delivered */
export function openCounters(owed: () => Promise<number>): Counters {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'x402_proxy_requests_total',
    help: 'Requests by how they ended',
    labelNames: ['outcome'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'x402_proxy_request_seconds',
    help: 'Time to the end of the response',
    labelNames: ['outcome'] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
    registers,
  });
  const revenue = new Counter({
    name: 'x402_proxy_revenue_usdc_total',
    help: 'USDC paid for responses that were served',
    registers,
  });
  new Gauge({
    name: 'x402_proxy_owed_sales',
    help: 'Sales that are paid and not delivered',
    registers,
    async collect() {
      this.set(await owed());
    },
  });
  return {
    request(outcome, seconds) {
      requests.inc({ outcome });
      duration.observe({ outcome }, seconds);
    },
    sale: (units) => revenue.inc(Number(units) / 10_000_000),
    text: () => registry.metrics(),
  };
}

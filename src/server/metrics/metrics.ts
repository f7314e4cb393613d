import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Health } from '../../protocol/wire/index.ts';

/** The service's counters and measurements; `GET /metrics` returns them (docs/facilitator.md lists them). */
export interface Metrics {
  /** An answered request. @param route path of the route; `other` for unknown paths */
  request(route: string, status: number, seconds: number): void;
  /** A verdict of `/verify`: `valid`, or the code of the failure. */
  verified(outcome: string): void;
  /** An outcome of `/settle`: `settled`, or the code of the failure. */
  settled(outcome: string, seconds: number): void;
  /** A spend refusal, which was enforced or, without `enforced`, only logged. */
  spendRefusal(reason: string, enforced: boolean): void;
  /** A call to the ledger. @param outcome `ok`, or the code of its `RpcError` */
  rpcCall(method: string, outcome: string, seconds: number): void;
  /** The objects whose state the gauges show. */
  watch(health: () => Health): void;
  /** Returns all metrics in Prometheus's text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Seconds. A network that closes on demand decides within milliseconds, a public one within ten. */
const BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30,
] as const;

const PREFIX = 'svc_x402_';

function gauges(registry: Registry, health: () => Health): void {
  const gauge = (name: string, help: string, read: (now: Health) => number | undefined) =>
    new Gauge({
      name: PREFIX + name,
      help,
      registers: [registry],
      collect() {
        const value = read(health());
        if (value === undefined) this.reset();
        else this.set(value);
      },
    });
  gauge('channels', 'Channel accounts of the pool', ({ channels }) => channels.total);
  gauge(
    'channels_free',
    'Channel accounts that no settlement holds',
    ({ channels }) => channels.free,
  );
  gauge('sponsor_balance_stroops', 'Balance of the sponsor, as last known', ({ sponsor }) =>
    sponsor.balance === null ? undefined : Number(sponsor.balance),
  );
  gauge('sponsor_reserved_stroops', 'Fees reserved for settlements in flight', ({ sponsor }) =>
    Number(sponsor.reserved),
  );
}

/** Creates the metrics of one service, in their own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const buckets = [...BUCKETS];
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  const requests = new Histogram({
    name: `${PREFIX}http_request_seconds`,
    help: 'Time taken to answer a request, by route and status',
    labelNames: ['route', 'status'],
    buckets,
    registers,
  });
  const verifications = new Counter({
    name: `${PREFIX}verifications_total`,
    help: "Verdicts of /verify: valid, or the failure's code",
    labelNames: ['outcome'],
    registers,
  });
  const settlements = new Histogram({
    name: `${PREFIX}settlement_seconds`,
    help: "Duration of /settle by outcome: settled, or the failure's code",
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  const refusals = new Counter({
    name: `${PREFIX}spend_refusals_total`,
    help: 'Spend refusals by reason; mode shows whether they were enforced or only logged',
    labelNames: ['reason', 'mode'],
    registers,
  });
  const calls = new Histogram({
    name: `${PREFIX}rpc_call_seconds`,
    help: 'Duration of a call to the ledger, by method and outcome',
    labelNames: ['method', 'outcome'],
    buckets,
    registers,
  });
  let watched: (() => Health) | undefined;
  return {
    request: (route, status, seconds) => requests.labels(route, `${status}`).observe(seconds),
    verified: (outcome) => verifications.labels(outcome).inc(),
    settled: (outcome, seconds) => settlements.labels(outcome).observe(seconds),
    spendRefusal: (reason, enforced) =>
      refusals.labels(reason, enforced ? 'refused' : 'would_reject').inc(),
    rpcCall: (method, outcome, seconds) => calls.labels(method, outcome).observe(seconds),
    watch(health) {
      // A service that is opened again shows the state of its present facilitator.
      if (watched === undefined) gauges(registry, () => (watched ?? health)());
      watched = health;
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

import type { ClosedLedger, LedgerHistory } from '../../history/index.ts';
import { innerEnvelope, operationCount } from '../history/historyTransaction.ts';

/** Number of ledgers that count. */
const LEDGERS = 5;
const PERCENTILES = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99] as const;

type Percentiles = { readonly [name in `p${(typeof PERCENTILES)[number]}`]: string };

/** The resource at `/fee_stats`. */
export type FeeStatsResource = ReturnType<typeof feeStatsResource>;

/** The fees charged per operation in the last five ledgers, and the bids. */
export function feeStatsResource(history: LedgerHistory) {
  const { latest } = history;
  const ledgers = [...history.ledgers(latest.sequence - LEDGERS + 1, latest.sequence)];
  const charged: bigint[] = [];
  const offered: bigint[] = [];
  for (const { envelope, result } of ledgers.flatMap(({ transactions }) => transactions)) {
    const bumped = envelope.type === 'envelopeTypeTxFeeBump';
    const operations = BigInt(Math.max(1, operationCount(envelope) + (bumped ? 1 : 0)));
    const bid = bumped ? envelope.feeBump.tx.fee : BigInt(innerEnvelope(envelope).value.tx.fee);
    charged.push(result.feeCharged / operations);
    offered.push(bid / operations);
  }
  const baseFee = BigInt(latest.header.baseFee);
  return {
    last_ledger: String(latest.sequence),
    last_ledger_base_fee: String(baseFee),
    ledger_capacity_usage: capacityUsage(ledgers),
    fee_charged: distribution(charged, baseFee),
    max_fee: distribution(offered, baseFee),
  };
}

function capacityUsage(ledgers: readonly ClosedLedger[]): string {
  let operations = 0;
  let room = 0;
  for (const { transactions, header } of ledgers) {
    for (const { envelope } of transactions) operations += operationCount(envelope);
    room += header.maxTxSetSize;
  }
  return String(room === 0 ? 0 : Math.round((operations / room) * 100) / 100);
}

/** Without any fees, every value is the base fee. */
function distribution(fees: readonly bigint[], baseFee: bigint) {
  const sorted = [...(fees.length === 0 ? [baseFee] : fees)].sort((a, b) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  const at = (place: number): string => String(sorted[place] ?? baseFee);
  const percentile = (p: number): string => at(Math.ceil((p * sorted.length) / 100) - 1);
  return {
    max: at(sorted.length - 1),
    min: at(0),
    mode: String(mostFrequent(sorted) ?? baseFee),
    ...(Object.fromEntries(PERCENTILES.map((p) => [`p${p}`, percentile(p)])) as Percentiles),
  };
}

/** The smallest of the most frequent values. */
function mostFrequent(sorted: readonly bigint[]): bigint | undefined {
  let best: bigint | undefined;
  let most = 0;
  let run = 0;
  for (const [at, fee] of sorted.entries()) {
    run = fee === sorted[at - 1] ? run + 1 : 1;
    if (run <= most) continue;
    most = run;
    best = fee;
  }
  return best;
}

import { accountIdString } from '../state/index.ts';
import type { ParsedTransaction } from '../transaction/index.ts';
import type { Cluster, PlacedTransaction, Stage, TransactionPhases } from './transactionSet.ts';

/**
 * The order in which a network applies a set, which nobody can predict: the n-th transactions of
 * all accounts form the n-th batch, and each batch is sorted by the hash of the envelope XOR the
 * hash of the set. In the Soroban phase clusters are sorted the same way, and stages by the first
 * transaction of their first cluster (stellar-core `TxSetFrame.cpp`, `sortedForApply…`).
 */
export function networkOrder(phases: TransactionPhases, setHash: Uint8Array): TransactionPhases {
  const rank = ranking(setHash);
  const byRank = (a: PlacedTransaction, b: PlacedTransaction): number =>
    Buffer.compare(rank(a.tx), rank(b.tx));
  const stages = phases.stages.map((stage) => stage.map((cluster) => [...cluster].sort(byRank)));
  return {
    classic: batches(phases.classic).flatMap((batch) => batch.sort(byRank)),
    stages: stages.sort((a, b) => compareFirst(a, b, byRank)),
  };
}

/**
 * The order in which a ledger recorded that its transactions were applied, for replays.
 * Transactions that are not listed come last, in their own order.
 *
 * @param hashes the transactions' hashes, in order, over all phases
 */
export function givenOrder(
  { classic, stages }: TransactionPhases,
  hashes: readonly Uint8Array[],
): TransactionPhases {
  const position = new Map(hashes.map((hash, at) => [hex(hash), at]));
  const at = ({ tx }: PlacedTransaction): number => position.get(hex(tx.hash)) ?? hashes.length;
  const compare = (a: PlacedTransaction, b: PlacedTransaction): number => at(a) - at(b);
  const clusters = (stage: Stage): Cluster[] =>
    stage
      .map((cluster) => [...cluster].sort(compare))
      .sort(([a], [b]) => (a === undefined || b === undefined ? 0 : compare(a, b)));
  return {
    classic: [...classic].sort(compare),
    stages: stages.map(clusters).sort((a, b) => compareFirst(a, b, compare)),
  };
}

function compareFirst(
  a: Stage,
  b: Stage,
  compare: (a: PlacedTransaction, b: PlacedTransaction) => number,
): number {
  const left = a[0]?.[0];
  const right = b[0]?.[0];
  return left === undefined || right === undefined ? 0 : compare(left, right);
}

/** The i-th batch holds the i-th transaction, by sequence number, of every account. */
function batches(classic: readonly PlacedTransaction[]): PlacedTransaction[][] {
  const accounts = new Map<string, PlacedTransaction[]>();
  for (const placed of classic) {
    const account = accountIdString(placed.tx.inner.source);
    const queue = accounts.get(account);
    if (queue === undefined) accounts.set(account, [placed]);
    else queue.push(placed);
  }
  const out: PlacedTransaction[][] = [];
  for (const queue of accounts.values()) {
    queue.sort((a, b) => compareSequence(a.tx, b.tx));
    for (const [at, placed] of queue.entries()) {
      const batch = out[at];
      if (batch === undefined) out.push([placed]);
      else batch.push(placed);
    }
  }
  return out;
}

function compareSequence(a: ParsedTransaction, b: ParsedTransaction): number {
  if (a.inner.seqNum === b.inner.seqNum) return 0;
  return a.inner.seqNum < b.inner.seqNum ? -1 : 1;
}

function ranking(setHash: Uint8Array): (tx: ParsedTransaction) => Uint8Array {
  const ranks = new Map<ParsedTransaction, Uint8Array>();
  return (tx) => {
    let rank = ranks.get(tx);
    if (rank === undefined) {
      rank = tx.fullHash.map((byte, at) => byte ^ (setHash[at] ?? 0));
      ranks.set(tx, rank);
    }
    return rank;
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

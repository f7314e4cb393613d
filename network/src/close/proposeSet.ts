import { xdr } from '@stellar/stellar-sdk';
import type { NetworkSettings } from '../settings/index.ts';
import type { LedgerKeyId } from '../state/index.ts';
import {
  diskReadEntries,
  footprintKey,
  inclusionFee,
  type ParsedTransaction,
} from '../transaction/index.ts';
import { headerHash } from './sealHeader.ts';
import type { PlacedTransaction, TransactionPhases } from './transactionSet.ts';

/** The transactions of the next ledger: the set that the network agrees on, and the phases read from it. */
export interface ProposedSet {
  readonly set: xdr.GeneralizedTransactionSet;
  readonly phases: TransactionPhases;
}

/** Builds the next ledger's set from the waiting transactions, within the ledger's limits (stellar-core `TxSetFrame.cpp`). */
export function proposeSet(
  waiting: readonly ParsedTransaction[],
  header: xdr.LedgerHeader,
  settings: NetworkSettings,
): ProposedSet {
  const classic = chooseClassic(
    waiting.filter((tx) => !tx.isSoroban),
    header,
  );
  const soroban = chooseSoroban(
    waiting.filter((tx) => tx.isSoroban),
    settings,
    header,
  );
  const sequential = sorted(classic.transactions);
  const stages = canonicalStages(soroban);
  const set = xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash: headerHash(header),
      phases: [classicPhase(classic, sequential), sorobanPhase(soroban, stages)],
    }),
  );
  const place = (tx: ParsedTransaction, baseFee: bigint): PlacedTransaction => ({ tx, baseFee });
  return {
    set,
    phases: {
      classic: sequential.map((tx) => place(tx, classic.baseFee)),
      stages: stages.map((stage) =>
        stage.map((cluster) => cluster.map((tx) => place(tx, soroban.baseFee))),
      ),
    },
  };
}

function classicPhase(
  { baseFee }: Chosen,
  transactions: readonly ParsedTransaction[],
): xdr.TransactionPhase {
  if (transactions.length === 0) return xdr.TransactionPhase.v0Components([]);
  return xdr.TransactionPhase.v0Components([
    xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
      new xdr.TxSetComponentTxsMaybeDiscountedFee({
        baseFee,
        txs: transactions.map(({ envelope }) => envelope),
      }),
    ),
  ]);
}

function sorobanPhase(
  { baseFee }: Chosen,
  stages: readonly (readonly (readonly ParsedTransaction[])[])[],
): xdr.TransactionPhase {
  return xdr.TransactionPhase.parallelTxsComponent(
    new xdr.ParallelTxsComponent({
      baseFee: stages.length === 0 ? null : baseFee,
      executionStages: stages.map((stage) =>
        stage.map((cluster) => cluster.map(({ envelope }) => envelope)),
      ),
    }),
  );
}

/** Sets are sorted by hash on every level. */
function canonicalStages({ clusters }: ChosenSoroban): ParsedTransaction[][][] {
  if (clusters.length === 0) return [];
  return [clusters.map(sorted).sort(([a], [b]) => (a && b ? byHash(a, b) : 0))];
}

function sorted(transactions: readonly ParsedTransaction[]): ParsedTransaction[] {
  return [...transactions].sort(byHash);
}

function byHash(a: ParsedTransaction, b: ParsedTransaction): number {
  return Buffer.compare(a.fullHash, b.fullHash);
}

/** The transactions that a phase includes, and what they pay. */
interface Chosen {
  readonly transactions: readonly ParsedTransaction[];
  /** Stroops per operation. */
  readonly baseFee: bigint;
}

/**
 * Chooses the classic transactions with the highest bids, up to the number of operations that a ledger holds. If any do not
 * fit, all the chosen ones pay the lowest bid among them (stellar-core `SurgePricingUtils.cpp`).
 */
function chooseClassic(waiting: readonly ParsedTransaction[], header: xdr.LedgerHeader): Chosen {
  const transactions: ParsedTransaction[] = [];
  let operations = 0;
  let crowded = false;
  for (const tx of [...waiting].sort(byBid)) {
    if (operations + tx.operationCount > header.maxTxSetSize) {
      crowded = true;
      continue;
    }
    operations += tx.operationCount;
    transactions.push(tx);
  }
  return { transactions, baseFee: baseFeeOf(transactions, crowded, header) };
}

function baseFeeOf(
  chosen: readonly ParsedTransaction[],
  crowded: boolean,
  header: xdr.LedgerHeader,
): bigint {
  const network = BigInt(header.baseFee);
  if (!crowded) return network;
  return (
    chosen.reduce<bigint | undefined>((lowest, tx) => {
      const bid = perOperationBid(tx);
      return lowest === undefined || bid < lowest ? bid : lowest;
    }, undefined) ?? network
  );
}

/** The Soroban transactions of a ledger: one stage, whose clusters have no entry in common. */
interface ChosenSoroban extends Chosen {
  readonly clusters: readonly (readonly ParsedTransaction[])[];
}

/** A ledger's limits for all Soroban transactions together; instructions are counted per cluster. */
interface Resources {
  readonly count: number;
  readonly diskReadEntries: number;
  readonly diskReadBytes: number;
  readonly writeEntries: number;
  readonly writeBytes: number;
  readonly bytes: number;
}

/** Transactions that touch each other's entries, directly or through others. */
interface Group {
  readonly transactions: readonly ParsedTransaction[];
  readonly instructions: number;
  readonly reads: ReadonlySet<LedgerKeyId>;
  readonly writes: ReadonlySet<LedgerKeyId>;
}

/**
 * Chooses the Soroban transactions with the highest bids, within the ledger's limits, and puts those that touch the same
 * entries into one cluster (CAP-63). There is one stage; transactions that do not fit wait for the next ledger.
 */
function chooseSoroban(
  waiting: readonly ParsedTransaction[],
  settings: NetworkSettings,
  header: xdr.LedgerHeader,
): ChosenSoroban {
  const limits = ledgerLimits(settings);
  const count = settings.parallelCompute.ledgerMaxDependentTxClusters;
  const instructions = Number(settings.compute.ledgerMaxInstructions);
  let used: Resources = NOTHING;
  let groups: readonly Group[] = [];
  let crowded = false;
  for (const tx of [...waiting].sort(byBid)) {
    const total = plus(used, resourcesOf(tx));
    const joined = join(groups, groupOf(tx));
    if (!fits(total, limits) || !canPack(joined, count, instructions)) {
      crowded = true;
      continue;
    }
    used = total;
    groups = joined;
  }
  const clusters = pack(groups, count, instructions) ?? [];
  const transactions = groups.flatMap((group) => group.transactions);
  return {
    transactions,
    clusters: clusters.map((cluster) => cluster.flatMap((group) => group.transactions)),
    baseFee: baseFeeOf(transactions, crowded, header),
  };
}

const NOTHING: Resources = {
  count: 0,
  diskReadEntries: 0,
  diskReadBytes: 0,
  writeEntries: 0,
  writeBytes: 0,
  bytes: 0,
};

function ledgerLimits({ lanes, ledgerCost, bandwidth }: NetworkSettings): Resources {
  return {
    count: lanes.ledgerMaxTxCount,
    diskReadEntries: ledgerCost.ledgerMaxDiskReadEntries,
    diskReadBytes: ledgerCost.ledgerMaxDiskReadBytes,
    writeEntries: ledgerCost.ledgerMaxWriteLedgerEntries,
    writeBytes: ledgerCost.ledgerMaxWriteBytes,
    bytes: bandwidth.ledgerMaxTxsSizeBytes,
  };
}

function resourcesOf({ inner }: ParsedTransaction): Resources {
  const resources = inner.sorobanData?.resources;
  return {
    count: 1,
    diskReadEntries: diskReadEntries(inner),
    diskReadBytes: resources?.diskReadBytes ?? 0,
    writeEntries: resources?.footprint.readWrite.length ?? 0,
    writeBytes: resources?.writeBytes ?? 0,
    bytes: inner.size,
  };
}

function plus(a: Resources, b: Resources): Resources {
  return {
    count: a.count + b.count,
    diskReadEntries: a.diskReadEntries + b.diskReadEntries,
    diskReadBytes: a.diskReadBytes + b.diskReadBytes,
    writeEntries: a.writeEntries + b.writeEntries,
    writeBytes: a.writeBytes + b.writeBytes,
    bytes: a.bytes + b.bytes,
  };
}

function fits(used: Resources, limits: Resources): boolean {
  return (
    used.count <= limits.count &&
    used.diskReadEntries <= limits.diskReadEntries &&
    used.diskReadBytes <= limits.diskReadBytes &&
    used.writeEntries <= limits.writeEntries &&
    used.writeBytes <= limits.writeBytes &&
    used.bytes <= limits.bytes
  );
}

function groupOf(tx: ParsedTransaction): Group {
  const resources = tx.inner.sorobanData?.resources;
  const ids = (keys: readonly xdr.LedgerKey[] = []): Set<LedgerKeyId> =>
    new Set(keys.map((key) => footprintKey(key).id));
  return {
    transactions: [tx],
    instructions: resources?.instructions ?? 0,
    reads: ids(resources?.footprint.readOnly),
    writes: ids(resources?.footprint.readWrite),
  };
}

/** Adds a group, merged with every group that it conflicts with. */
function join(groups: readonly Group[], added: Group): Group[] {
  const apart: Group[] = [];
  let joined = added;
  for (const group of groups) {
    if (conflict(group, added)) joined = united(group, joined);
    else apart.push(group);
  }
  return [...apart, joined];
}

/** Groups that only read the same entry do not conflict. */
function conflict(a: Group, b: Group): boolean {
  return (
    intersects(b.writes, a.writes) || intersects(b.writes, a.reads) || intersects(b.reads, a.writes)
  );
}

function intersects(few: ReadonlySet<LedgerKeyId>, many: ReadonlySet<LedgerKeyId>): boolean {
  for (const id of few) if (many.has(id)) return true;
  return false;
}

function united(a: Group, b: Group): Group {
  return {
    transactions: [...a.transactions, ...b.transactions],
    instructions: a.instructions + b.instructions,
    reads: new Set([...a.reads, ...b.reads]),
    writes: new Set([...a.writes, ...b.writes]),
  };
}

function canPack(groups: readonly Group[], count: number, instructions: number): boolean {
  // What fits into one cluster fits into several, so packing is only tried once a ledger is full.
  const sum = groups.reduce((all, group) => all + group.instructions, 0);
  return sum <= instructions || pack(groups, count, instructions) !== undefined;
}

/**
 * Spreads groups over clusters, the largest first, each into the emptiest cluster.
 * @returns undefined when one cluster would need more instructions than a ledger has
 */
function pack(
  groups: readonly Group[],
  count: number,
  instructions: number,
): (readonly Group[])[] | undefined {
  const clusters: { groups: Group[]; instructions: number }[] = [];
  for (const group of [...groups].sort((a, b) => b.instructions - a.instructions)) {
    const emptiest =
      clusters.length < count
        ? undefined
        : clusters.reduce((a, b) => (b.instructions < a.instructions ? b : a));
    if ((emptiest?.instructions ?? 0) + group.instructions > instructions) return undefined;
    if (emptiest === undefined) {
      clusters.push({ groups: [group], instructions: group.instructions });
    } else {
      emptiest.groups.push(group);
      emptiest.instructions += group.instructions;
    }
  }
  return clusters.map((cluster) => cluster.groups);
}

const operationsOf = (tx: ParsedTransaction): bigint => BigInt(Math.max(1, tx.operationCount));

/** A transaction's bid per operation, in stroops, rounded up. */
function perOperationBid(tx: ParsedTransaction): bigint {
  const operations = operationsOf(tx);
  return (inclusionFee(tx) + operations - 1n) / operations;
}

/** Orders by bid per operation, highest first. Equal bids keep their order of arrival. */
export function byBid(a: ParsedTransaction, b: ParsedTransaction): number {
  const left = inclusionFee(a) * operationsOf(b);
  const right = inclusionFee(b) * operationsOf(a);
  if (left === right) return 0;
  return left > right ? -1 : 1;
}

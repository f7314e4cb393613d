import { xdr } from '@stellar/stellar-sdk';
import { ClosedLedger } from '../history/index.ts';
import { encodeXdr, hashXdr } from '../xdr/index.ts';
import { type Amend, amendmentMark } from './amendment.ts';
import { type AppliedLedger, applyLedger } from './applyLedger.ts';
import { networkOrder } from './applyOrder.ts';
import { expiredWithin, type Stretch } from './evict.ts';
import type { LedgerEngine } from './ledgerEngine.ts';
import { ledgerValue, type Validator } from './ledgerValue.ts';
import type { ProposedSet } from './proposeSet.ts';
import { sealHeader } from './sealHeader.ts';

/** A computed ledger; none of its changes is committed to the state yet. */
export interface NextLedger {
  /** Commits the ledger to the state. If this throws, the state is unchanged. */
  commit(): CommittedLedger;
}

/** A ledger whose changes are in the state. */
export interface CommittedLedger {
  /** The ledger in its stored form. */
  readonly ledger: ClosedLedger;
  /** Takes the changes back, which works until the next ledger is committed. */
  undo(): void;
}

/** What a ledger changes besides its transactions; at most one of these is set. */
export interface LedgerChanges {
  /** Changes made by hand at its end. */
  readonly amend?: Amend;
  readonly upgrades?: readonly xdr.LedgerUpgrade[];
  /** The ledgers that this one stands for; its sequence is that of the last one. */
  readonly standsFor?: Stretch;
}

/**
 * Computes the next ledger from a set of transactions.
 * @param changes what the ledger changes besides its transactions
 */
export function nextLedger(
  engine: LedgerEngine,
  { set, phases }: ProposedSet,
  closeTime: bigint,
  validator: Validator,
  { amend, upgrades = [], standsFor }: LedgerChanges = {},
): NextLedger {
  const setHash = hashXdr(set);
  const marks = amend === undefined ? upgrades : [amendmentMark(engine.state.header)];
  const applied = applyLedger(engine, {
    value: ledgerValue(engine.networkId, setHash, closeTime, validator, marks),
    phases: networkOrder(phases, setHash),
    amend,
    ...(standsFor && {
      sequence: standsFor.last,
      evictedKeys: expiredWithin(
        engine.contracts,
        standsFor,
        engine.settings().archival.maxEntriesToArchive,
      ),
    }),
  });
  return { commit: () => commit(engine, set, applied) };
}

function commit(
  engine: LedgerEngine,
  txSet: xdr.GeneralizedTransactionSet,
  applied: AppliedLedger,
): CommittedLedger {
  const undo = applied.commit();
  try {
    return { ledger: closedLedger(engine, txSet, applied), undo };
  } catch (error) {
    undo();
    throw error;
  }
}

function closedLedger(
  engine: LedgerEngine,
  txSet: xdr.GeneralizedTransactionSet,
  applied: AppliedLedger,
): ClosedLedger {
  const { state } = engine;
  const { header, hash } = sealHeader(applied.header, state.stateHash());
  state.header = header;
  const meta = new xdr.LedgerCloseMetaV2({
    ext: xdr.LedgerCloseMetaExt.v0(),
    ledgerHeader: new xdr.LedgerHeaderHistoryEntry({
      hash,
      header,
      ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
    }),
    txSet,
    txProcessing: [...applied.txProcessing],
    upgradesProcessing: [...applied.upgradesProcessing],
    scpInfo: [],
    totalByteSizeOfLiveSorobanState: 0n,
    evictedKeys: [...applied.evictedKeys],
  });
  const transactions = applied.records.flatMap(({ placed: { tx }, index }) => {
    const record = applied.txProcessing[index];
    return record === undefined
      ? []
      : { hash: tx.hash.toString('hex'), envelope: tx.envelope, record };
  });
  const bytes = encodeXdr(xdr.LedgerCloseMeta.v2(meta));
  return new ClosedLedger(engine.networkId, bytes, { meta, transactions });
}

import type { xdr } from '@stellar/stellar-sdk';
import {
  applyLedger,
  applyRecordedLedger,
  givenOrder,
  LedgerEngine,
  phasesOf,
  sealHeader,
  transactionSetHash,
} from '../close/index.ts';
import type { SorobanHost } from '../host/index.ts';
import type { VerifySignature } from '../transaction/index.ts';
import { ledgerDifference } from './compareLedger.ts';
import { type Difference, firstDifference } from './difference.ts';
import { replayGenesis } from './replayGenesis.ts';

/** What a replay needs besides the ledgers. */
export interface ReplayOptions {
  readonly networkId: Uint8Array;
  readonly host: SorobanHost;
  readonly verify: VerifySignature;
  /** Whether the host's metering must be as recorded. */
  readonly compareDiagnostics: boolean;
}

/** The verdict on one ledger. */
export interface LedgerVerdict {
  readonly ledgerSeq: number;
  readonly transactions: number;
  /** Undefined if the ledger came out as recorded. */
  readonly difference: Difference | undefined;
}

/**
 * Computes ledgers that were closed elsewhere, starting from genesis, and compares each with its record. A ledger that differs
 * is discarded, and the next one starts from the recorded state.
 */
export function replayLedgers(
  ledgers: readonly xdr.LedgerCloseMetaV2[],
  options: ReplayOptions,
): LedgerVerdict[] {
  const engine = new LedgerEngine(replayGenesis(ledgers, options.networkId), {
    networkId: options.networkId,
    host: options.host,
    verify: options.verify,
    classicEvents: tellsClassicEvents(ledgers),
    diagnostics: tellsDiagnostics(ledgers),
    resourceFeeMeta: tellsResourceFees(ledgers),
  });
  return ledgers.map((recorded) => replayLedger(engine, recorded, options));
}

function replayLedger(
  engine: LedgerEngine,
  recorded: xdr.LedgerCloseMetaV2,
  options: ReplayOptions,
): LedgerVerdict {
  const { header } = recorded.ledgerHeader;
  const difference = judge(engine, recorded, options);
  if (difference !== undefined) applyRecordedLedger(engine, recorded);
  engine.state.header = header;
  return { ledgerSeq: header.ledgerSeq, transactions: recorded.txProcessing.length, difference };
}

function judge(
  engine: LedgerEngine,
  recorded: xdr.LedgerCloseMetaV2,
  { networkId, compareDiagnostics }: ReplayOptions,
): Difference | undefined {
  const { header } = recorded.ledgerHeader;
  const { scpValue, bucketListHash, previousLedgerHash } = header;
  const { ledgerVersion } = engine.state.header;
  if (ledgerVersion !== engine.host.protocol) {
    const got = `a host for protocol ${engine.host.protocol}`;
    return { path: 'header.ledgerVersion', expected: `${ledgerVersion}`, got };
  }
  const setDifference = setHashDifference(recorded);
  if (setDifference !== undefined) return setDifference;
  const order = recorded.txProcessing.map(({ result }) => result.transactionHash.value);
  try {
    const applied = applyLedger(engine, {
      value: scpValue,
      phases: givenOrder(phasesOf(recorded.txSet, networkId), order),
      evictedKeys: recorded.evictedKeys,
      // Genesis cannot be hashed, because its header refers to a bucket list that was not recorded.
      ...(engine.state.header.ledgerSeq === 1
        ? { previousLedgerHash: previousLedgerHash.value }
        : {}),
    });
    const sealed = sealHeader(applied.header, bucketListHash.value);
    const difference = ledgerDifference(recorded, { ...applied, ...sealed }, compareDiagnostics);
    if (difference === undefined) applied.commit();
    return difference;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const got = error.stack ?? error.message;
    return { path: 'ledger', expected: 'a closed ledger', got };
  }
}

/** From protocol 28 on, a value need not refer to a set; its ledger is then empty. */
function setHashDifference({ ledgerHeader, txSet }: xdr.LedgerCloseMetaV2): Difference | undefined {
  const { value } = ledgerHeader.header.scpValue.txSetHash;
  if (value.every((byte) => byte === 0)) return undefined;
  return firstDifference(value, transactionSetHash(txSet), 'header.scpValue.txSetHash');
}

function transactionMetas(ledgers: readonly xdr.LedgerCloseMetaV2[]): xdr.TransactionMetaV4[] {
  return ledgers.flatMap(({ txProcessing }) =>
    txProcessing.flatMap(({ txApplyProcessing: meta }) => (meta.type === 'v4' ? [meta.v4] : [])),
  );
}

/** A network that emits classic events has one for every fee. */
function tellsClassicEvents(ledgers: readonly xdr.LedgerCloseMetaV2[]): boolean {
  return transactionMetas(ledgers).some(({ events }) => events.length > 0);
}

function tellsResourceFees(ledgers: readonly xdr.LedgerCloseMetaV2[]): boolean {
  return transactionMetas(ledgers).some(({ sorobanMeta }) => sorobanMeta?.ext.type === 'v1');
}

/** Diagnostics are on unless contracts ran and the meta has no diagnostic events. */
function tellsDiagnostics(ledgers: readonly xdr.LedgerCloseMetaV2[]): boolean {
  const ran = transactionMetas(ledgers).filter(({ sorobanMeta }) => sorobanMeta?.returnValue);
  return ran.length === 0 || ran.some(({ diagnosticEvents }) => diagnosticEvents.length > 0);
}

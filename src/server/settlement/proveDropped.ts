import * as xdr from '@stellar/stellar-sdk/xdr';
import type { SettlementHash } from '../../protocol/index.ts';
import type { AssetMovement } from '../../protocol/stellar/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork, type TransactionLookup } from '../network/index.ts';
import { accountKey } from './accountEntry.ts';
import { feeBumpedEnvelope, type SignedTransaction } from './settlementTransaction.ts';
import type { Signer } from './signer.ts';

/** Pause between lookups: about the duration of a ledger on a network with short ledgers. */
const PAUSE_MS = 500;
/** Pauses after a fence was sent, for networks that close a ledger on demand. */
const FIRST_PAUSES_MS = [10, 50, 150] as const;

const MAX_PAUSE_MS = 5_000;

/** A transaction of a channel whose last ledger seems to have passed. */
export interface SeeminglyDropped {
  readonly hash: SettlementHash;
  readonly sequence: bigint;
  readonly channel: Signer;
  readonly sponsor: Signer;
  /** A ledger from before it was sent. */
  readonly sentAfter: number;
  readonly witness: Witness;
}

/** A transaction that the network may have. */
export interface Pending extends SeeminglyDropped {
  /** Last ledger that may include it. */
  readonly lastLedger: number;
}

/**
 * Looks for the fate of a transaction until `deadline` (elapsed time). It counts as dropped only with
 * proof.
 */
export async function learnFate(
  pending: Pending,
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
): Promise<Fate | undefined> {
  const { hash, witness } = pending;
  const fate = await lookUntilDecided(hash, pending, deadline, network, clock, witness);
  if (fate?.status !== 'dropped' && fate?.status !== 'unproven') return fate;
  return proveDropped(pending, deadline, network, clock);
}

/**
 * Lookups that must agree that neither the transaction nor its fence exists, if a third transaction used
 * the sequence number: a server that is behind reports the same for a while. Each has to search back to
 * before the transaction was sent; otherwise nothing is proved.
 */
const LOOKS = 6;

/**
 * Proves that no ledger includes the transaction, or finds the ledger that does. A server's latest ledger
 * does not prove it, since it may be wrong; another transaction's use of the sequence number does. If
 * nothing has used the number yet, a fence uses it.
 * @returns the ledger's decision, or that this server no longer knows; `undefined` if `deadline` (elapsed time) passes first
 */
export async function proveDropped(
  { hash, sequence, channel, sponsor, sentAfter, witness }: SeeminglyDropped,
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
): Promise<Fate | undefined> {
  const fence = sequenceFence(channel, sponsor, sequence);
  const startedAt = clock.elapsed();
  let searchedAll = true;
  let fences = 0;
  let strange = 0;
  for (let looks = 1; ; looks++) {
    try {
      const { entries, latestLedger } = await network.getLedgerEntries([accountKey(channel)]);
      const [entry] = entries;
      const used = entry?.type === 'account' && entry.account.seqNum >= sequence;
      const isElsewhere = isOfAnotherNetwork(entry, latestLedger, { sequence, sentAfter });
      strange = isElsewhere ? strange + 1 : 0;
      // Looked up after the account was read, so that our own use of the number is seen.
      const found = await network.lookUp(hash);
      let decision: Decision | undefined;
      if (found.status !== 'NOT_FOUND') {
        decision = decisionOf(found);
      } else if (used) {
        const fenced = await network.lookUp(fence.hash);
        searchedAll &&= reachesBack(found, sentAfter);
        if (fenced.status !== 'NOT_FOUND') {
          decision = { status: 'dropped', ledger: fenced.ledger };
        } else if (looks >= LOOKS) {
          if (!searchedAll) return { status: 'unproven', ledger: latestLedger };
          decision = { status: 'dropped', ledger: latestLedger };
        }
      }
      if (decision !== undefined) {
        const verdict = await witness.judge(decision);
        if (verdict === 'agrees') return decision;
        if (verdict === 'unprovable') return { status: 'unproven', ledger: latestLedger };
      }
      if (strange >= STRANGE_LOOKS) return { status: 'unproven', ledger: latestLedger };
      if (!used) {
        looks = 0;
        searchedAll = true;
        if (!isElsewhere) await network.send(fence.envelope);
      }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      looks = 0;
    }
    const pause = looks > 0 ? PAUSE_MS : (FIRST_PAUSES_MS[fences++] ?? backOff(startedAt, clock));
    if (clock.elapsed() + pause > deadline) return undefined;
    await clock.sleep(pause);
  }
}

/** Reads of a channel that must agree that this is not the ledger on which its transaction was signed. */
const STRANGE_LOOKS = 12;

/**
 * Whether a channel's account is not the one whose sequence number was used: it does not exist, or its number is lower than
 * when the transaction was signed, in a ledger before that. On one network neither happens, except at a server that is behind.
 */
function isOfAnotherNetwork(
  entry: xdr.LedgerEntryData | undefined,
  latestLedger: number,
  { sequence, sentAfter }: Pick<SeeminglyDropped, 'sequence' | 'sentAfter'>,
): boolean {
  if (entry?.type !== 'account') return true;
  return entry.account.seqNum < sequence - 1n && latestLedger < sentAfter;
}

/** The pause after a fence that no ledger has included for some time: it grows with that time. */
function backOff(startedAt: number, clock: Clock): number {
  return Math.min(Math.max(PAUSE_MS, (clock.elapsed() - startedAt) / 10), MAX_PAUSE_MS);
}

/** The ledger's decision. */
export type Decision =
  | {
      readonly status: 'succeeded';
      readonly ledger: number;
      readonly feeCharged: bigint;
      /** What its contracts report to have moved; `undefined` if nothing shows that. */
      readonly movements?: readonly AssetMovement[] | undefined;
    }
  | {
      readonly status: 'failed';
      readonly ledger: number;
      readonly feeCharged: bigint;
      readonly resultCode: string;
    }
  /** Proved that no ledger included it and none can in future. */
  | { readonly status: 'dropped'; readonly ledger: number };

/** A decision beside the payment that it is about. */
export type Conclusion =
  | Exclude<Decision, { readonly status: 'succeeded' }>
  | {
      readonly status: 'succeeded';
      readonly ledger: number;
      readonly feeCharged: bigint;
      /** What arrived, in atomic units, if it is more than the payment. */
      readonly arrived?: bigint | undefined;
    }
  /** The transaction succeeded, and shows less than the payment. */
  | {
      readonly status: 'short';
      readonly ledger: number;
      readonly feeCharged: bigint;
      /** What arrived, in atomic units; 0 if nothing is shown. */
      readonly arrived: bigint;
    };

/** The fate of a transaction: a decision, or that this server cannot provide one. */
export type Fate =
  | Decision
  /** No future ledger can include it, and the server's history does not reach back far enough. */
  | { readonly status: 'unproven'; readonly ledger: number };

/** Compares answers about a transaction with the ledger's entries. */
export interface Witness {
  /**
   * Starts to read the entries, for an answer that is being asked for. Read together, both are one request. What was
   * read too early to agree with the answer is read again.
   */
  readAhead(): void;
  /**
   * Returns whether the entries agree with an answer or contradict it, or that after many reads nothing can be
   * concluded. Rejects with RpcError.
   */
  judge(decision: Decision): Promise<'agrees' | 'contradicts' | 'unprovable'>;
}

/** Accepts every answer, for transactions that leave no other trace on the ledger. */
export const NO_WITNESS: Witness = { readAhead: () => undefined, judge: async () => 'agrees' };

/** Pause between reads while the ledger's answers contradict each other: about one short ledger. */
export const DOUBT_MS = 500;

/** Whether a search that found nothing went back to before the transaction was sent. */
export function reachesBack(
  { oldestLedger }: { readonly oldestLedger?: number | undefined },
  sentAfter: number,
): boolean {
  return oldestLedger !== undefined && oldestLedger <= sentAfter;
}

/** Converts a transaction that was found to a decision. */
export function decisionOf(
  found: Exclude<TransactionLookup, { readonly status: 'NOT_FOUND' }>,
): Decision {
  const { status, ledger, feeCharged, resultCode, movements } = found;
  return status === 'SUCCESS'
    ? { status: 'succeeded', ledger, feeCharged, ...(movements && { movements }) }
    : { status: 'failed', ledger, feeCharged, resultCode };
}

/**
 * Pauses between the lookups, in milliseconds. A network that closes ledgers on demand decides within a few, a
 * public one takes seconds; the last value repeats.
 */
const PAUSES_MS = [1, 3, 10, 25, 60, 120, 250, 500, 1_000] as const;

/** How far a server may be behind the ledger before which a transaction was sent: about five minutes. */
const MAX_BEHIND_LEDGERS = 60;

/**
 * Looks up a transaction until the ledger has decided it; `undefined` if `deadline` (elapsed
 * time) passes first.
 * @returns `dropped` based on this server alone, if it reports a ledger after the last one that
 * may include the transaction and has searched far enough back
 */
export async function lookUntilDecided(
  hash: SettlementHash,
  { lastLedger, sentAfter }: { readonly lastLedger: number; readonly sentAfter: number },
  deadline: number,
  network: StellarNetwork,
  clock: Clock,
  witness: Witness = NO_WITNESS,
): Promise<Fate | undefined> {
  let strange = 0;
  for (let look = 1; ; look++) {
    let pause: number = PAUSES_MS[look - 1] ?? 1_000;
    try {
      // A network that closes ledgers on demand has decided by the first look; others are asked many times.
      if (look === 1) witness.readAhead();
      const found = await network.lookUp(hash);
      if (found.status !== 'NOT_FOUND') {
        const decision = decisionOf(found);
        const verdict = await witness.judge(decision);
        if (verdict === 'agrees') return decision;
        if (verdict === 'unprovable') return { status: 'unproven', ledger: found.latestLedger };
        pause = Math.max(pause, DOUBT_MS);
      } else if (found.latestLedger > lastLedger) {
        const status = reachesBack(found, sentAfter) ? 'dropped' : 'unproven';
        return { status, ledger: found.latestLedger };
      } else {
        // No server of one network is so far behind for so long.
        strange = found.latestLedger < sentAfter - MAX_BEHIND_LEDGERS ? strange + 1 : 0;
        if (strange >= STRANGE_LOOKS) return { status: 'unproven', ledger: found.latestLedger };
      }
    } catch (error) {
      // A failed lookup shows nothing about the transaction: look again.
      if (!(error instanceof RpcError)) throw error;
    }
    if (clock.elapsed() + pause > deadline) return undefined;
    await clock.sleep(pause);
  }
}

/**
 * Whether a transaction that a server refused because of its sequence number was certainly not accepted.
 * The refusal alone does not prove it: if a request arrives twice, the second is refused because the first
 * was accepted. A sequence number that another transaction used, or that is not the next one, proves it.
 */
export async function proveNotTaken(
  transaction: {
    readonly hash: SettlementHash;
    readonly sequence: bigint;
    readonly sentAfter: number;
  },
  channel: Signer,
  network: StellarNetwork,
): Promise<boolean> {
  const { hash, sequence, sentAfter } = transaction;
  try {
    const { entries, latestLedger } = await network.getLedgerEntries([accountKey(channel)]);
    const [entry] = entries;
    if (entry?.type !== 'account') return false;
    const { seqNum } = entry.account;
    // It is exactly the next one: the server that refused it was behind, and another may accept it.
    if (seqNum === sequence - 1n) return false;
    if (seqNum < sequence) return true;
    const found = await network.lookUp(hash);
    return (
      found.status === 'NOT_FOUND' &&
      found.latestLedger >= latestLedger &&
      reachesBack(found, sentAfter)
    );
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return false;
  }
}

/** Bid for the one operation of the fence, in stroops: a fee bump around it bids twice that. */
const FENCE_FEE = 10_000;

/**
 * Builds a transaction that only consumes a sequence number of a channel. Of two transactions with the
 * same sequence number, the ledger includes only one, so once this one is included, the other never will
 * be. This proof does not depend on a server's claim about the latest ledger. The transaction and its
 * hash are the same each time.
 */
export function sequenceFence(
  channel: Signer,
  sponsor: Signer,
  sequence: bigint,
): SignedTransaction {
  const inner = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(channel.publicKey),
    fee: FENCE_FEE,
    seqNum: sequence,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [
      new xdr.Operation({
        sourceAccount: null,
        body: xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: 0n })),
      }),
    ],
    ext: xdr.TransactionExt.v0(),
  });
  return feeBumpedEnvelope(inner.toXdr(), channel, sponsor, BigInt(2 * FENCE_FEE));
}

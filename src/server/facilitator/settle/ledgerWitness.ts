import type { SettlementHash } from '../../../protocol/index.ts';
import type { Logger } from '../../logger.ts';
import type { StellarNetwork } from '../../network/index.ts';
import { accountKey, type Decision, type Witness } from '../../settlement/index.ts';
import type { PreparedPayment } from '../payment/index.ts';
import { nonceKey } from '../schemes/index.ts';

/** What is asked for: the payment, and the sequence number that its transaction uses up. */
export interface Witnessed {
  readonly payment: PreparedPayment;
  readonly hash: SettlementHash;
  readonly channel: { readonly publicKey: Uint8Array };
  readonly sequence: bigint;
}

/** What the entries of the ledger show of a transaction, all read at one ledger. */
export interface Traces {
  /** The channel's sequence number is used up: no ledger to come includes the transaction. */
  readonly isOver: boolean;
  /**
   * Whether the payer's nonce was used (CAP-46-11); `undefined` once the authorization has expired,
   * after which a nonce leaves no entry.
   */
  readonly nonceUsed: boolean | undefined;
  /** Ledger in which it was used, where the server says so. */
  readonly usedIn: number | undefined;
  /** The nonce was used, and not by this transaction: its payer signed another call with it. */
  readonly usedByAnother: boolean;
  /** A transfer event of this very transaction is in the ledger in which the nonce was used. */
  readonly transferred: boolean;
  readonly latestLedger: number;
}

/** Contradictions after which a settlement stays unproven, so that it does not hold its channel for ever. */
const MOST_DOUBTS = 20;

type LedgerReader = Pick<StellarNetwork, 'getLedgerEntries' | 'transferHashes'>;

/**
 * Reads the traces of a transaction. Rejects with RpcError.
 * @param decided what they are compared with: only of a failure it matters who used the nonce
 */
export async function readTraces(
  { payment: { payer, asset, authorization }, channel, sequence, hash }: Witnessed,
  decided: Decision['status'],
  network: LedgerReader,
): Promise<Traces> {
  const account = accountKey(channel);
  const keys =
    authorization === undefined ? [account] : [account, nonceKey(payer, authorization.nonce)];
  const { entries, modifiedIn, latestLedger } = await network.getLedgerEntries(keys);
  const [held, nonce] = entries;
  const expires = authorization?.expirationLedger ?? 0;
  const [, usedIn] = modifiedIn;
  const hashes =
    decided === 'succeeded' || nonce === undefined || usedIn === undefined
      ? undefined
      : await network.transferHashes({ asset, from: payer, ledger: usedIn });
  return {
    isOver: held?.type === 'account' && held.account.seqNum >= sequence,
    nonceUsed: nonce !== undefined ? true : latestLedger > expires ? undefined : false,
    usedIn,
    usedByAnother: hashes !== undefined && !hashes.includes(hash),
    transferred: hashes?.includes(hash) ?? false,
    latestLedger,
  };
}

/** Whether the traces are those that a decision leaves. */
export function tracesAgree(
  { isOver, nonceUsed, usedIn, usedByAnother }: Traces,
  decision: Decision,
): boolean {
  if (!isOver) return false;
  if (decision.status !== 'succeeded') return nonceUsed !== true || usedByAnother;
  return nonceUsed !== false && (usedIn ?? decision.ledger) === decision.ledger;
}

/**
 * Asks the ledger's entries beside what `getTransaction` says: one answer that contradicts the others
 * is not believed. Where they go on contradicting each other, nothing is proved.
 */
export function ledgerWitness(
  witnessed: Witnessed,
  network: LedgerReader,
  logger: Logger,
): Witness {
  let doubts = 0;
  return async (decision) => {
    const traces = await readTraces(witnessed, decision.status, network);
    if (tracesAgree(traces, decision)) return 'agrees';
    const { payer } = witnessed.payment;
    logger.warn({ payer, said: decision.status }, 'the ledger contradicts itself; looking again');
    // What can still be included is waited for.
    if (!traces.isOver) return 'contradicts';
    return ++doubts < MOST_DOUBTS ? 'contradicts' : 'unprovable';
  };
}

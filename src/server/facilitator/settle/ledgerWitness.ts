import { parseStellarAddress, type SettlementHash } from '../../../protocol/index.ts';
import {
  addressBytes,
  encodedAccountKey,
  encodedNonceKey,
  sequenceOfEntry,
} from '../../../protocol/stellar/index.ts';
import type { Logger } from '../../logger.ts';
import {
  askHorizon,
  RpcError,
  type StellarNetwork,
  type TransactionLookup,
} from '../../network/index.ts';
import {
  type Decision,
  decisionOf,
  reachesBack,
  type SettlementRecord,
  type Witness,
} from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { PreparedPayment } from '../payment/index.ts';

/** The payment to look for, and the sequence number that its transaction consumes. */
export interface Witnessed {
  readonly payment: PreparedPayment;
  readonly hash: SettlementHash;
  readonly channel: { readonly publicKey: Uint8Array };
  readonly sequence: bigint;
}

/** A transaction's traces in the ledger's entries, all read at one ledger. */
export interface Traces {
  /** Whether the channel's sequence number is consumed: no future ledger can include the transaction. */
  readonly isOver: boolean;
  /**
   * Whether the payer's nonce was used (CAP-46-11); `undefined` once the authorization has expired,
   * after which a nonce leaves no entry.
   */
  readonly nonceUsed: boolean | undefined;
  /** Ledger in which it was used, if the server reports it. */
  readonly usedIn: number | undefined;
  /** Whether another transaction used the nonce: the payer signed another call with it. */
  readonly usedByAnother: boolean;
  /** Whether the ledger that used the nonce has a transfer event of this exact transaction. */
  readonly transferred: boolean;
  readonly latestLedger: number;
}

/** Number of contradictions after which a settlement stays unproven, so that it releases its channel. */
const MAX_DOUBTS = 20;

type LedgerReader = Pick<StellarNetwork, 'readEntries' | 'searchMovements'>;
/** Movements of one payer in one asset to one recipient in one ledger that are read at most. */
const MAX_MOVEMENTS = 1_000;
type Entries = Awaited<ReturnType<LedgerReader['readEntries']>>;

/** Keys of the entries that a transaction changes, base64 XDR: its channel's account and the payer's nonce. */
function keysOf({ payment: { payer, authorization }, channel }: Witnessed) {
  return {
    account: encodedAccountKey(channel),
    nonce: authorization && encodedNonceKey(payer, authorization.nonce),
  };
}

type Keys = ReturnType<typeof keysOf>;

function listed({ account, nonce }: Keys): readonly string[] {
  return nonce === undefined ? [account] : [account, nonce];
}

/** Returns the traces in some entries, if the ledger's events have these transfers. */
function tracesIn(
  { found, latestLedger }: Entries,
  { account, nonce }: Keys,
  { payment, sequence, hash }: Witnessed,
  transfers: readonly string[] | undefined,
): Traces {
  const held = found.get(account);
  const used = nonce === undefined ? undefined : found.get(nonce);
  const expires = payment.authorization?.expirationLedger ?? 0;
  return {
    isOver: held !== undefined && (sequenceOfEntry(held.xdr) ?? -1n) >= sequence,
    nonceUsed: used !== undefined ? true : latestLedger > expires ? undefined : false,
    usedIn: used?.lastModifiedLedgerSeq,
    usedByAnother: transfers !== undefined && !transfers.includes(hash),
    transferred: transfers?.includes(hash) ?? false,
    latestLedger,
  };
}

/**
 * Reads the traces of a transaction. Rejects with RpcError.
 * @param decided the decision to compare them with; who used the nonce matters only for a failure
 */
export async function readTraces(
  witnessed: Witnessed,
  decided: Decision['status'],
  network: LedgerReader,
  keys = keysOf(witnessed),
): Promise<Traces> {
  const entries = await network.readEntries(listed(keys));
  const usedIn = keys.nonce && entries.found.get(keys.nonce)?.lastModifiedLedgerSeq;
  const { payer, payTo, asset } = witnessed.payment;
  const movements =
    decided === 'succeeded' || typeof usedIn !== 'number'
      ? undefined
      : await network.searchMovements(
          { asset, from: payer, to: payTo },
          { start: usedIn, end: usedIn, limit: MAX_MOVEMENTS },
        );
  return tracesIn(entries, keys, witnessed, movements?.hashes);
}

/** Returns whether the traces match a decision. */
export function tracesAgree(
  { isOver, nonceUsed, usedIn, usedByAnother }: Traces,
  decision: Decision,
): boolean {
  if (!isOver) return false;
  if (decision.status !== 'succeeded') return nonceUsed !== true || usedByAnother;
  return nonceUsed !== false && (usedIn ?? decision.ledger) === decision.ledger;
}

/**
 * Checks `getTransaction` against the ledger's entries and ignores an answer that contradicts them. If the contradictions
 * continue, the outcome stays unproven.
 */
export function ledgerWitness(
  witnessed: Witnessed,
  network: LedgerReader & Pick<StellarNetwork, 'glanceAt'>,
  logger: Logger,
): Witness {
  let doubts = 0;
  let encoded: Keys | undefined;
  /** Encoded once, since every settlement needs them twice. */
  function keys(): Keys {
    encoded ??= keysOf(witnessed);
    return encoded;
  }
  let ahead: Promise<Entries | undefined> | undefined;
  /** Whether entries that were read ahead agree with a success. If they do not, they may be older than it. */
  async function agreesAhead(decision: Decision): Promise<boolean> {
    const entries = await ahead;
    ahead = undefined;
    if (entries === undefined || decision.status !== 'succeeded') return false;
    return tracesAgree(tracesIn(entries, keys(), witnessed, undefined), decision);
  }
  return {
    readAhead() {
      ahead = network.glanceAt(listed(keys())).catch(() => undefined);
    },
    async judge(decision) {
      if (await agreesAhead(decision)) return 'agrees';
      const traces = await readTraces(witnessed, decision.status, network, keys());
      if (tracesAgree(traces, decision)) return 'agrees';
      const { payer } = witnessed.payment;
      logger.warn({ payer, said: decision.status }, 'the ledger contradicts itself; looking again');
      // Wait as long as a ledger can still include it.
      if (!traces.isOver) return 'contradicts';
      return ++doubts < MAX_DOUBTS ? 'contradicts' : 'unprovable';
    },
  };
}

/** Number of reads that must agree. */
const LOOKS = 2;

/** Whether a history that reaches back to before submission shows no transaction. */
function isSearched(found: TransactionLookup, sentAfter: number): boolean {
  return found.status === 'NOT_FOUND' && reachesBack(found, sentAfter);
}

type Sent = NonNullable<SettlementRecord['transaction']>;

/**
 * Reads the RPC server's evidence of a transaction until several reads agree: the transaction, its transfer
 * event, an unused nonce, or no trace in a history that reaches back to before submission.
 */
async function askRpc(
  { hash, sentAfter, sequence }: Sent,
  witnessed: Pick<Witnessed, 'payment' | 'channel'>,
  { network }: FacilitatorParts,
): Promise<Decision | undefined> {
  let decision: Decision | undefined;
  for (let look = 0; look < LOOKS; look++) {
    const found = await network.lookUp(hash);
    const said = found.status === 'NOT_FOUND' ? undefined : decisionOf(found);
    const sent = { ...witnessed, hash, sequence };
    const traces = await readTraces(sent, said?.status ?? 'dropped', network);
    if (said !== undefined) {
      decision = said;
    } else if (traces.transferred && traces.usedIn !== undefined) {
      // The event does not contain the fee.
      decision = { status: 'succeeded', ledger: traces.usedIn, feeCharged: 0n };
    } else if (traces.nonceUsed === false || isSearched(found, sentAfter)) {
      decision = { status: 'dropped', ledger: traces.latestLedger };
    } else {
      return undefined;
    }
    if (!tracesAgree(traces, decision)) return undefined;
  }
  return decision;
}

/** Returns `undefined` if a source does not answer, so that the next one is asked. */
async function ask<T>(witness: () => Promise<T>): Promise<T | undefined> {
  try {
    return await witness();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return undefined;
  }
}

async function byHorizon(
  { hash }: Sent,
  { limits: { horizonUrl } }: FacilitatorParts,
): Promise<Decision | undefined> {
  const found = horizonUrl === null ? undefined : await askHorizon(horizonUrl, hash);
  if (found === undefined) return undefined;
  const { ledger, feeCharged } = found;
  return found.successful
    ? { status: 'succeeded', ledger, feeCharged }
    : { status: 'failed', ledger, feeCharged, resultCode: 'outcome found in Horizon' };
}

/**
 * Looks for the outcome of a transaction that no future ledger can include: at the RPC server, whose history
 * may be available again, in the payer's nonce on the ledger and the transfer event, then in Horizon if it
 * is configured.
 * @returns `undefined` if no source knows the outcome
 */
export async function askWitnesses(
  { transaction }: Pick<SettlementRecord, 'transaction'>,
  payment: PreparedPayment,
  parts: FacilitatorParts,
): Promise<Decision | undefined> {
  const address = parseStellarAddress(transaction?.channel ?? '');
  if (transaction === undefined || address === undefined) return undefined;
  const channel = { publicKey: addressBytes(address) };
  return (
    (await ask(() => askRpc(transaction, { payment, channel }, parts))) ??
    (await ask(() => byHorizon(transaction, parts)))
  );
}

import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type SimulationSuccess, type StellarNetwork } from '../network/index.ts';
import type { Channel } from './channelPool.ts';
import { nextSequence, sequenceLost, sequenceUsed } from './channelSequence.ts';
import type { JournaledTransaction } from './journal/settlementRecord.ts';
import { type Decision, type Fate, lookUntilDecided, type Witness } from './lookUntilDecided.ts';
import { proveDropped } from './proveDropped.ts';
import { proveNotTaken } from './proveNotTaken.ts';
import { send } from './send.ts';
import {
  draftTransaction,
  inclusionFeeWithin,
  innerTransaction,
  resourceFeeOf,
  totalBid,
} from './settlementTransaction.ts';
import { feeBumpedEnvelope, type SignedTransaction, unsignedEnvelope } from './signedEnvelope.ts';
import type { Signer } from './signer.ts';

/** A wrong sequence number is corrected from the ledger once. */
const SEQUENCE_ATTEMPTS = 2;

export interface SettlementTools {
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly sponsor: Signer;
  /** Minimum inclusion bid, per operation. */
  readonly inclusionFeeStroops: bigint;
  /** Ceiling of the total bid. */
  readonly maxTxFeeStroops: bigint;
  readonly confirmationMs: number;
  /** Whether the service is still running; a search for a decision ends with it. */
  readonly running: () => boolean;
}

/** The work to run on the channel. */
export interface ChannelWork<R> {
  /** The bytes of an `Operation`. */
  readonly operation: Uint8Array;
  /** Last ledger that may include it, as seen from the latest. */
  readonly lastLedger: (latestLedger: number) => number;
  /** A simulation of the operation that still holds. Which account's transaction carries it changes nothing in it. */
  readonly simulated: SimulationSuccess | undefined;
  /** Simulates the payment on the channel and verifies it. A failure refuses the settlement. */
  readonly simulate: (
    envelope: string,
  ) => Promise<
    | { readonly ok: true; readonly value: SimulationSuccess }
    | { readonly ok: false; readonly rejection: R }
  >;
  /**
   * Whether the transaction may still be sent. Called before it is recorded, so that nothing is recorded
   * as being submitted that will not be.
   */
  readonly mayStillSend: () => boolean;
  /**
   * Records the transaction before it may be sent to the network; false forbids sending it.
   */
  readonly beforeSending: (transaction: JournaledTransaction) => Promise<boolean>;
  /** Called right before the transaction is sent to the network. */
  readonly onSending: (hash: SettlementHash) => void;
  /** Called if the transaction was sent but certainly not accepted. */
  readonly onNotSent: () => void;
  /** Checks an answer about a transaction of the channel against the ledger's entries. */
  readonly witness: (sent: { readonly hash: SettlementHash; readonly sequence: bigint }) => Witness;
  /** Called once if the ledger has not decided in time; the search continues. */
  readonly onPending: (hash: SettlementHash) => void;
}

export type ChannelOutcome<R> =
  | { readonly status: 'rejected'; readonly rejection: R }
  | { readonly status: 'never_sent'; readonly detail: string }
  | { readonly status: 'decided'; readonly hash: SettlementHash; readonly decision: Decision }
  /** The service stopped before the ledger decided. */
  | { readonly status: 'abandoned'; readonly hash: SettlementHash }
  /** No future ledger can include it; this server's history does not show whether one did. */
  | { readonly status: 'unproven'; readonly hash: SettlementHash };

/** A transaction that is ready to be sent. */
interface Built {
  readonly signed: SignedTransaction;
  readonly sequence: bigint;
  /** Last ledger that may include it. */
  readonly lastLedger: number;
  /** The ledger it was simulated on. */
  readonly sentAfter: number;
}

/** A transaction that the network may have, and whose channel waits for its fate. */
export interface Pending {
  readonly hash: SettlementHash;
  readonly sequence: bigint;
  readonly lastLedger: number;
  /** A ledger from before it was sent. */
  readonly sentAfter: number;
  readonly channel: Signer;
  readonly witness: Witness;
}

/**
 * Looks for the fate of a transaction until `deadline` (elapsed time). It counts as dropped only with
 * proof.
 */
export async function learnFate(
  pending: Pending,
  deadline: number,
  { network, clock, sponsor }: Pick<SettlementTools, 'network' | 'clock' | 'sponsor'>,
): Promise<Fate | undefined> {
  const { hash, witness } = pending;
  const fate = await lookUntilDecided(hash, pending, deadline, network, clock, witness);
  if (fate?.status !== 'dropped' && fate?.status !== 'unproven') return fate;
  return proveDropped({ ...pending, sponsor }, deadline, network, clock);
}

async function decide<R>(
  { signed: { hash, envelope }, sequence, lastLedger, sentAfter }: Built,
  work: ChannelWork<R>,
  channel: Channel,
  tools: SettlementTools,
): Promise<Fate | undefined> {
  const { network, clock, confirmationMs } = tools;
  const witness = work.witness({ hash, sequence });
  const pending = { hash, sequence, lastLedger, sentAfter, channel: channel.signer, witness };
  let fate = await learnFate(pending, clock.elapsed() + confirmationMs, tools);
  if (fate !== undefined) return fate;
  work.onPending(hash);
  while (fate === undefined && tools.running()) {
    // A server's queue may have dropped it. Sent again, it is the same transaction and counts once.
    await network.send(envelope).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
    });
    fate = await learnFate(pending, clock.elapsed() + confirmationMs, tools);
  }
  return fate;
}

/**
 * Finds the fate of a transaction that a server reports as not accepted. The server has the signed bytes,
 * so the transaction is excluded with a fence, or found.
 */
async function decideRefused<R>(
  { signed: { hash }, sequence, sentAfter }: Built,
  work: ChannelWork<R>,
  channel: Channel,
  tools: SettlementTools,
): Promise<Fate | undefined> {
  const { network, clock, sponsor, confirmationMs } = tools;
  const witness = work.witness({ hash, sequence });
  const suspect = { hash, sequence, sentAfter, channel: channel.signer, sponsor, witness };
  let fate = await proveDropped(suspect, clock.elapsed() + confirmationMs, network, clock);
  if (fate === undefined) work.onPending(hash);
  while (fate === undefined && tools.running()) {
    fate = await proveDropped(suspect, clock.elapsed() + confirmationMs, network, clock);
  }
  return fate;
}

/** Steps 1 to 3: the payer's operation on the channel, simulated there, and signed. */
async function build<R>(
  work: ChannelWork<R>,
  channel: Channel,
  sequence: bigint,
  simulated: SimulationSuccess | undefined,
  tools: SettlementTools,
): Promise<({ ok: true } & Built) | { ok: false; rejection: R }> {
  const parts = { channel: channel.signer, sequence, operation: work.operation };
  // 1 and 2. Rebuild the transaction on the channel account, and verify it by simulation.
  const simulation =
    simulated === undefined
      ? await work.simulate(unsignedEnvelope(draftTransaction(parts)))
      : ({ ok: true, value: simulated } as const);
  if (!simulation.ok) return simulation;
  const { encodedData: resources, latestLedger } = simulation.value;
  // 3. The channel signs, the sponsor bids for it in a fee bump.
  const lastLedger = work.lastLedger(latestLedger);
  const resourceFee = resourceFeeOf(simulation.value);
  const inclusionFee = inclusionFeeWithin({
    least: tools.inclusionFeeStroops,
    others: tools.network.inclusionFee(),
    ceiling: tools.maxTxFeeStroops,
    resourceFee,
  });
  const inner = innerTransaction({
    ...parts,
    resources,
    resourceFee: simulation.value.resourceFee,
    inclusionFee,
    lastLedger,
  });
  const bid = totalBid(resourceFee, inclusionFee);
  const signed = feeBumpedEnvelope(inner, channel.signer, tools.sponsor, bid);
  return { ok: true, signed, sequence, lastLedger, sentAfter: latestLedger };
}

/** Step 5: waits for the decision and derives the channel's next sequence number from it. */
async function follow<R>(
  built: Built,
  work: ChannelWork<R>,
  channel: Channel,
  tools: SettlementTools,
): Promise<ChannelOutcome<R>> {
  return conclude(built, await decide(built, work, channel, tools), channel);
}

function isIncludedIn(fate: Fate): fate is Exclude<Decision, { status: 'dropped' }> {
  return fate.status === 'succeeded' || fate.status === 'failed';
}

/** Converts a fate to the outcome of the channel's work, and sets the channel's sequence number from it. */
function conclude<R>(built: Built, fate: Fate | undefined, channel: Channel): ChannelOutcome<R> {
  const { hash } = built.signed;
  if (fate !== undefined && isIncludedIn(fate)) sequenceUsed(channel, built.sequence, fate.ledger);
  else sequenceLost(channel);
  if (fate === undefined) return { status: 'abandoned', hash };
  if (fate.status === 'unproven') return { status: 'unproven', hash };
  return { status: 'decided', hash, decision: fate };
}

/** Like `follow`, for a transaction that was refused: once it is fenced off, it was never accepted. */
async function followRefused<R>(
  built: Built,
  detail: string,
  work: ChannelWork<R>,
  channel: Channel,
  tools: SettlementTools,
): Promise<ChannelOutcome<R>> {
  let toldPending = false;
  const onPending = (hash: SettlementHash): void => {
    toldPending = true;
    work.onPending(hash);
  };
  const fate = await decideRefused(built, { ...work, onPending }, channel, tools);
  // A caller that received the hash gets the outcome under that hash.
  if (fate?.status !== 'dropped' || toldPending) return conclude(built, fate, channel);
  sequenceLost(channel);
  work.onNotSent();
  return { status: 'never_sent', detail };
}

async function isIncluded({ signed }: Built, network: StellarNetwork): Promise<boolean> {
  try {
    return (await network.lookUp(signed.hash)).status !== 'NOT_FOUND';
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return false;
  }
}

/**
 * Settles one operation on a channel account that is lent for it, and returns an outcome that is based on
 * evidence only. Resolves when the ledger has decided, however long that takes.
 */
export async function settleOnChannel<R>(
  work: ChannelWork<R>,
  channel: Channel,
  tools: SettlementTools,
): Promise<ChannelOutcome<R>> {
  const { network, clock } = tools;
  let earlier: Built | undefined;
  for (let attempt = 1; ; attempt++) {
    const sequence = await nextSequence(channel, network, clock);
    const simulated = attempt === 1 ? work.simulated : undefined;
    const built = await build(work, channel, sequence, simulated, tools);
    if (!built.ok) {
      // The payment was valid a moment ago: the first submission may have spent it.
      if (earlier !== undefined && (await isIncluded(earlier, network))) {
        work.onSending(earlier.signed.hash);
        return await follow(earlier, work, channel, tools);
      }
      return { status: 'rejected', rejection: built.rejection };
    }
    const { signed, lastLedger, sentAfter } = built;
    const { hash, envelope } = signed;

    // 4. Recorded, then sent. From here on, the hash is known, and only the ledger shows the
    // outcome.
    const { address } = channel.signer;
    const transaction = { hash, envelope, channel: address, sequence, lastLedger, sentAfter };
    if (!work.mayStillSend()) return { status: 'never_sent', detail: 'no request waits for it' };
    if (!(await work.beforeSending(transaction))) {
      return { status: 'never_sent', detail: 'another instance has taken the settlement over' };
    }
    work.onSending(hash);
    const sent = await send(signed, network, clock);
    if (sent.status === 'sent') return await follow(built, work, channel, tools);
    if (sent.status === 'never_sent') {
      work.onNotSent();
      return { status: 'never_sent', detail: sent.detail };
    }
    if (!sent.badSequence) return await followRefused(built, sent.detail, work, channel, tools);
    if (!(await proveNotTaken(transaction, channel.signer, network))) {
      return await follow(built, work, channel, tools);
    }
    work.onNotSent();

    // The count was wrong and nothing was accepted: ask the ledger and retry once with its number.
    earlier = built;
    sequenceLost(channel);
    if (attempt >= SEQUENCE_ATTEMPTS) return { status: 'never_sent', detail: sent.detail };
  }
}

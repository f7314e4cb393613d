import { parseStellarAddress } from '../../../protocol/index.ts';
import { addressBytes } from '../../../protocol/stellar/index.ts';
import { askHorizon, RpcError, type TransactionLookup } from '../../network/index.ts';
import {
  type Decision,
  decisionOf,
  reachesBack,
  type SettlementRecord,
} from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { PreparedPayment } from '../payment/index.ts';
import { readTraces, tracesAgree, type Witnessed } from './ledgerWitness.ts';

/** Looks that must agree. */
const LOOKS = 2;

/** Whether nothing was found in a history that reaches back to before the hand-over. */
function isSearched(found: TransactionLookup, sentAfter: number): boolean {
  return found.status === 'NOT_FOUND' && reachesBack(found, sentAfter);
}

type Sent = NonNullable<SettlementRecord['transaction']>;

/**
 * What the RPC server shows of a transaction, each look alike: that it has it, or its transfer event,
 * or that the nonce was not used, or that nothing is there in a history that reaches back to before the hand-over.
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
      // What the ledger charged is not in the event.
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

/** A witness that gives no answer says nothing, and keeps nobody from asking the next. */
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
    : { status: 'failed', ledger, feeCharged, resultCode: 'as Horizon has it' };
}

/**
 * Asks who may know what became of a transaction that no ledger can include any more: the RPC server,
 * whose history may be back, the payer's nonce on the ledger, the transfer event, then Horizon where it
 * is configured.
 * @returns `undefined` when nobody can say
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

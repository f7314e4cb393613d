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

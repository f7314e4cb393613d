import { askHorizon, RpcError } from '../../network/index.ts';
import type { Decision, SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { PreparedPayment } from '../payment/index.ts';
import { nonceKey } from '../schemes/index.ts';

/** Looks that must agree that the nonce is not used. */
const LOOKS = 2;

/**
 * Whether the ledger has no record that the payer used the nonce, and would still have one: then
 * the authorization moved nothing. That it was used is no proof of the opposite, for its payer may
 * have signed another call with the same nonce.
 */
async function isNonceUnused(
  { payer, authorization }: PreparedPayment,
  { network }: FacilitatorParts,
): Promise<number | undefined> {
  if (authorization === undefined) return undefined;
  let ledger = 0;
  for (let look = 0; look < LOOKS; look++) {
    const key = nonceKey(payer, authorization.nonce);
    const { entries, latestLedger } = await network.getLedgerEntries([key]);
    if (entries[0] !== undefined || latestLedger > authorization.expirationLedger) return undefined;
    ledger = latestLedger;
  }
  return ledger;
}

/**
 * Asks who else may know what became of a transaction that no ledger can include any more and that
 * the RPC server's history does not reach back to: the payer's nonce on the ledger, then Horizon
 * where it is configured.
 * @returns `undefined` when nobody can say
 */
export async function askWitnesses(
  { transaction }: Pick<SettlementRecord, 'transaction'>,
  payment: PreparedPayment,
  parts: FacilitatorParts,
): Promise<Decision | undefined> {
  try {
    const unusedAt = await isNonceUnused(payment, parts);
    if (unusedAt !== undefined) return { status: 'dropped', ledger: unusedAt };
    const { horizonUrl } = parts.limits;
    if (horizonUrl === null || transaction === undefined) return undefined;
    const found = await askHorizon(horizonUrl, transaction.hash);
    if (found === undefined) return undefined;
    const { ledger, feeCharged } = found;
    return found.successful
      ? { status: 'succeeded', ledger, feeCharged }
      : { status: 'failed', ledger, feeCharged, resultCode: 'as Horizon has it' };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return undefined;
  }
}

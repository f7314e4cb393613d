import * as xdr from '@stellar/stellar-sdk/xdr';
import { isAccountAddress, type StellarAddress } from '../../../../protocol/index.ts';
import { explainRefusal } from '../../../../protocol/smartAccount/index.ts';
import { toScAddress } from '../../../../protocol/stellar/index.ts';
import type { SimulationFailure, StellarNetwork } from '../../../network/index.ts';
import type { Rejection } from '../../rejection.ts';
import { balanceIn, balanceKey, readAssetOf } from './assetBalances.ts';
import type { ExactPayment } from './exactPayment.ts';

const MAX_DETAIL = 200;

/** The ledger's record that an address used a nonce (CAP-46-11). */
function nonceKey(address: StellarAddress, nonce: bigint): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: toScAddress(address),
      key: xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })),
      durability: xdr.ContractDataDurability.temporary,
    }),
  );
}

/** The host's first line says what failed; what follows is a log of events. */
function firstLine(error: string): string {
  return (error.split('\n', 1)[0] ?? '').slice(0, MAX_DETAIL);
}

/**
 * Finds out why a simulation failed, from the ledger's own entries: a nonce that is used, a
 * recipient without trustline, a payer without funds. The host's words decide only what the
 * entries leave open.
 */
export async function explainFailure(
  payment: ExactPayment,
  failure: SimulationFailure,
  network: StellarNetwork,
): Promise<Rejection> {
  const detail = firstLine(failure.error);
  if (failure.status === 'restore') return { code: 'restore_required', detail };

  const asset = await readAssetOf(payment.asset, network);
  const nonce = payment.authorization?.nonce;
  const { entries } = await network.getLedgerEntries([
    balanceKey(payment.payTo, payment.asset, asset),
    balanceKey(payment.payer, payment.asset, asset),
    ...(nonce === undefined ? [] : [nonceKey(payment.payer, nonce)]),
  ]);
  const [recipientEntry, payerEntry, nonceEntry] = entries;

  if (nonceEntry !== undefined) return { code: 'authorization_replayed', detail };
  if (asset?.needsTrustline(payment.payTo) && recipientEntry === undefined) {
    return { code: 'missing_trustline_recipient', detail };
  }
  const balance = asset === undefined ? undefined : balanceIn(payerEntry);
  if (
    balance !== undefined &&
    asset?.isIssuer(payment.payer) !== true &&
    balance < payment.amount
  ) {
    return { code: 'insufficient_funds', detail: `${balance} held, ${payment.amount} required` };
  }
  if (/Error\(Auth, /.test(detail)) {
    if (isAccountAddress(payment.payer)) return { code: 'signature_invalid', detail };
    const refusal = explainRefusal(failure.error);
    return { code: 'spending_policy_refused', detail: refusal?.message ?? detail };
  }
  return { code: 'simulation_failed', detail };
}

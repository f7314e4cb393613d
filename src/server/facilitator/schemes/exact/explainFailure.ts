import { nonceKey } from '../../../../protocol/stellar/index.ts';
import type { SimulationFailure, StellarNetwork } from '../../../network/index.ts';
import type { Rejection } from '../../payment/index.ts';
import { balanceKey } from '../explain/balance.ts';
import { firstLine, readAuthorizationRefusal } from '../explain/hostReport.ts';
import { lackOf } from '../explain/lackOf.ts';

import { readAssetOf } from '../explain/stellarAsset.ts';
import type { ExactPayment } from './exactPayment.ts';

/**
 * Finds out why a simulation failed, from the ledger's own entries: a used nonce, a recipient
 * without a trustline, a payer without funds. The host's message is used only for what the entries do not explain.
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
  const [recipient, payer, usedNonce] = entries;

  if (usedNonce !== undefined) return { code: 'authorization_replayed', detail };
  const lack = lackOf(asset, payment, [recipient, payer]);
  if (lack?.of === 'trustline') return { code: 'missing_trustline_recipient', detail };
  if (lack?.of === 'funds') return { code: 'insufficient_funds', detail: lack.detail };
  const refusal = readAuthorizationRefusal(failure.error, payment.payer);
  if (refusal?.by === 'signature') return { code: 'signature_invalid', detail };
  if (refusal) return { code: 'spending_policy_refused', detail: refusal.detail };
  return { code: 'simulation_failed', detail };
}

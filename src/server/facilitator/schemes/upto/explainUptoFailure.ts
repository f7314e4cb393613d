import type { SimulationFailure, StellarNetwork } from '../../../network/index.ts';
import type { Rejection } from '../../payment/index.ts';
import { balanceKey } from '../explain/balance.ts';
import { firstLine, readAuthorizationRefusal } from '../explain/hostReport.ts';
import { lackOf } from '../explain/lackOf.ts';
import { readAssetOf } from '../explain/stellarAsset.ts';
import { readSettled } from './readSettled.ts';
import type { UptoPayment } from './uptoPayment.ts';

/** The contract's refusals (`contracts/README.md`) that have a code here. */
const CONTRACT_ERRORS: Readonly<Record<string, Rejection['code']>> = {
  203: 'upto_actual_exceeds_ceiling',
  204: 'upto_expired',
  205: 'upto_expiration_too_far',
};
const NONCE_USED = '206';

/** Describes what the ledger has settled under the payer's nonce; `undefined` if nothing. */
export async function describeSettled(
  { call }: Pick<UptoPayment, 'call'>,
  network: StellarNetwork,
): Promise<string | undefined> {
  const settled = await readSettled(call, network);
  return settled === undefined ? undefined : `the ledger has settled ${settled} under this nonce`;
}

/**
 * Detects a payer without funds for `amount`, or a recipient without a trustline, from the ledger's own
 * entries.
 */
export async function explainByBalances(
  { asset, payTo, payer }: Pick<UptoPayment, 'asset' | 'payTo' | 'payer'>,
  amount: bigint,
  network: StellarNetwork,
): Promise<Rejection | undefined> {
  const held = await readAssetOf(asset, network);
  if (held === undefined) return undefined;
  const keys = [balanceKey(payTo, asset, held), balanceKey(payer, asset, held)];
  const lack = lackOf(
    held,
    { payer, payTo, amount },
    (await network.getLedgerEntries(keys)).entries,
  );
  if (lack === undefined) return undefined;
  return lack.of === 'trustline'
    ? { code: 'upto_missing_trustline_recipient' }
    : { code: 'upto_insufficient_funds', detail: lack.detail };
}

/**
 * Finds out why the simulation of a settlement fails. The contract's error numbers and the ledger's entries come first; the
 * host's message is used only for what they do not explain.
 */
export async function explainUptoFailure(
  payment: UptoPayment,
  failure: SimulationFailure,
  network: StellarNetwork,
): Promise<Rejection> {
  const detail = firstLine(failure.error);
  if (failure.status === 'restore') return { code: 'upto_restore_required', detail };

  const refusal = /Error\(Contract, #(\d+)\)/.exec(detail)?.[1] ?? '';
  if (refusal === NONCE_USED) {
    const settled = await describeSettled(payment, network);
    if (settled !== undefined) return { code: 'upto_nonce_used', detail: settled };
  }
  const code = CONTRACT_ERRORS[refusal];
  if (code !== undefined) return { code, detail };

  const byBalances =
    payment.amount === 0n ? undefined : await explainByBalances(payment, payment.amount, network);
  if (byBalances !== undefined) return byBalances;
  const refused = readAuthorizationRefusal(failure.error, payment.payer);
  if (refused?.by === 'signature') return { code: 'upto_signature_invalid', detail };
  if (refused) return { code: 'upto_spending_policy_refused', detail: refused.detail };
  return { code: 'upto_simulation_failed', detail };
}

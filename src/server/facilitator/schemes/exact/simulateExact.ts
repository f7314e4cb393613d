import type { AccountAddress } from '../../../../protocol/index.ts';
import type { SimulationSuccess, StellarNetwork } from '../../../network/index.ts';
import { totalBid } from '../../../settlement/index.ts';
import { accepted, type Checked, type Rejection } from '../../rejection.ts';
import { checkAuthorizations } from './checks/checkAuthorizations.ts';
import { checkEvents } from './checks/checkEvents.ts';
import { checkFee } from './checks/checkFee.ts';
import type { ExactPayment } from './exactPayment.ts';
import { explainFailure } from './explainFailure.ts';

export interface ExactRules {
  readonly own: ReadonlySet<AccountAddress>;
  readonly maxTxFeeStroops: bigint;
  readonly inclusionFeeStroops: bigint;
  readonly expiryToleranceLedgers: number;
}

/** The last ledger an authorization may name: maxTimeoutSeconds from now, and the tolerance. */
function maxLedger(
  payment: ExactPayment,
  latestLedger: number,
  network: StellarNetwork,
  rules: ExactRules,
): number {
  const ledgers = Math.ceil(payment.maxTimeoutSeconds / network.ledgerSeconds(latestLedger));
  return latestLedger + ledgers + rules.expiryToleranceLedgers;
}

/**
 * The steps of verification that ask the ledger, in the canonical order. One call on the way that
 * succeeds: the simulation also tells the latest ledger, and a transfer of a Stellar asset that
 * simulates to its event has a recipient with a trustline.
 */
export async function simulateExact(
  payment: ExactPayment,
  envelope: string,
  network: StellarNetwork,
  rules: ExactRules,
): Promise<Checked<SimulationSuccess>> {
  // 6. The whole transaction runs against the current ledger, `__check_auth` included.
  const simulation = await network.simulate(envelope);
  const { latestLedger } = simulation;
  const authorizations = checkAuthorizations({
    payment,
    own: rules.own,
    latestLedger,
    maxLedger: maxLedger(payment, latestLedger, network, rules),
  });
  const withPayer = (rejection: Rejection): { ok: false; rejection: Rejection } => ({
    ok: false,
    rejection: { ...rejection, payer: payment.payer },
  });
  if (simulation.status !== 'success') {
    // An authorization that is wrong in itself explains the failure better than the host does.
    if (!authorizations.ok) return withPayer(authorizations.rejection);
    return withPayer(await explainFailure(payment, simulation, network));
  }

  // 7. The fee this settlement would really bid.
  const { minResourceFee } = simulation;
  const fee = checkFee({
    offered: payment.decoded.fee,
    minResourceFee,
    bid: totalBid(minResourceFee, rules.inclusionFeeStroops),
    ceiling: rules.maxTxFeeStroops,
  });
  if (!fee.ok) return withPayer(fee.rejection);

  // 8. The events are the one transfer.
  const events = checkEvents(simulation.events, payment.transfer);
  if (!events.ok) return withPayer(events.rejection);

  // 9. The authorization is the payer's alone, for this call, and not for too long.
  if (!authorizations.ok) return withPayer(authorizations.rejection);
  return accepted(simulation);
}

import type { AccountAddress } from '../../../../protocol/index.ts';
import type {
  Simulation,
  SimulationFailure,
  SimulationSuccess,
  StellarNetwork,
} from '../../../network/index.ts';
import { resourceFeeOf, totalBid } from '../../../settlement/index.ts';
import { accepted, type Checked } from '../../payment/index.ts';
import { firstLine } from '../explain/hostReport.ts';
import { type Judgement, SKEW_LEDGERS } from '../guardSkew.ts';
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
): Promise<Judgement<SimulationSuccess>> {
  // 6. The whole transaction runs against the current ledger, `__check_auth` included.
  const simulation = await network.simulate(envelope);
  const { latestLedger } = simulation;
  const lastAllowed = maxLedger(payment, latestLedger, network, rules);
  if (simulation.status === 'failure' && latestLedger === 0)
    return refusedUnrun(simulation, payment);
  const checked = await judge(payment, simulation, lastAllowed, network, rules);
  if (checked.ok) return { checked, maybeSkew: false };
  const tooFarBy = (payment.authorization?.expirationLedger ?? 0) - lastAllowed;
  return {
    checked: { ok: false, rejection: { ...checked.rejection, payer: payment.payer } },
    maybeSkew:
      network.isBehind(latestLedger) ||
      (checked.rejection.code === 'signature_expiration_too_far' && tooFarBy <= SKEW_LEDGERS),
  };
}

/** What a server refuses before it runs it names no ledger, so nothing follows from that one. */
function refusedUnrun(
  { error }: SimulationFailure,
  { payer }: ExactPayment,
): Judgement<SimulationSuccess> {
  const rejection = { code: 'simulation_failed', detail: firstLine(error), payer } as const;
  return { checked: { ok: false, rejection }, maybeSkew: false };
}

async function judge(
  payment: ExactPayment,
  simulation: Simulation,
  lastAllowed: number,
  network: StellarNetwork,
  rules: ExactRules,
): Promise<Checked<SimulationSuccess>> {
  const authorizations = checkAuthorizations({
    payment,
    own: rules.own,
    latestLedger: simulation.latestLedger,
    maxLedger: lastAllowed,
  });
  if (simulation.status !== 'success') {
    // An authorization that is wrong in itself explains the failure better than the host does.
    if (!authorizations.ok) return authorizations;
    return { ok: false, rejection: await explainFailure(payment, simulation, network) };
  }

  // 7. The fee this settlement would really bid.
  const { minResourceFee } = simulation;
  const fee = checkFee({
    offered: payment.decoded.fee,
    minResourceFee,
    bid: totalBid(resourceFeeOf(simulation), rules.inclusionFeeStroops),
    ceiling: rules.maxTxFeeStroops,
    archived: simulation.archived,
  });
  if (!fee.ok) return fee;

  // 8. The events are the one transfer.
  const events = checkEvents(simulation.events, payment.transfer);
  if (!events.ok) return events;

  // 9. The authorization is the payer's alone, for this call, and not for too long.
  if (!authorizations.ok) return authorizations;
  return accepted(simulation);
}

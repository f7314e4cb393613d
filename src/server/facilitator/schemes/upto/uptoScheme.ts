import { MAX_UPTO_LEDGERS } from '../../../../protocol/stellar/index.ts';
import type { Clock } from '../../../clock.ts';
import type { Simulation, SimulationSuccess, StellarNetwork } from '../../../network/index.ts';
import { resourceFeeOf, totalBid } from '../../../settlement/index.ts';
import { accepted, type Checked, type PaymentScheme, rejected } from '../../payment/index.ts';
import { describeHighBid } from '../checks/describeHighBid.ts';
import { guardSkew, type Judgement, SKEW_LEDGERS } from '../guardSkew.ts';
import { checkUptoAuthorization } from './checks/checkUptoAuthorization.ts';
import { checkUptoEvents } from './checks/checkUptoEvents.ts';
import { describeSettled, explainByBalances, explainUptoFailure } from './explainUptoFailure.ts';
import { prepareUpto } from './prepareUpto.ts';
import type { UptoPayment } from './uptoPayment.ts';
import type { UptoRules } from './uptoRules.ts';

/** Scheme `upto` (experimental): the buyer signs a ceiling, and the amount used under it settles. */
export function uptoScheme(
  network: StellarNetwork,
  rules: UptoRules,
  clock: Clock,
): PaymentScheme<UptoPayment> {
  return {
    name: 'upto',
    insufficientFunds: 'upto_insufficient_funds',
    badSignature: 'upto_signature_invalid',
    extra: {
      areFeesSponsored: true,
      maxTransactionFeeStroops: rules.maxTxFeeStroops.toString(),
      uptoContract: rules.contract,
    },
    prepare: (request, step) => prepareUpto(request, step, rules),
    simulate: (payment, envelope) =>
      guardSkew(() => simulateUpto(payment, envelope, network, rules), clock),
    explainFailed: (payment) => describeSettled(payment, network),
  };
}

/**
 * Performs the verification steps that need the ledger. The envelope moves `payment.amount`: the ceiling
 * when a payment is verified, the actual amount when it is settled.
 */
export async function simulateUpto(
  payment: UptoPayment,
  envelope: string,
  network: StellarNetwork,
  rules: UptoRules,
): Promise<Judgement<SimulationSuccess>> {
  // 6. The whole transaction runs against the current ledger, `__check_auth` included.
  const simulation = await network.simulate(envelope);
  const checked = await judge(payment, simulation, network, rules);
  if (checked.ok) return { checked, maybeSkew: false };
  const { latestLedger } = simulation;
  const tooFarBy = payment.call.expirationLedger - latestLedger - MAX_UPTO_LEDGERS;
  return {
    checked: { ok: false, rejection: { ...checked.rejection, payer: payment.payer } },
    maybeSkew:
      network.isBehind(latestLedger) ||
      (checked.rejection.code === 'upto_expiration_too_far' && tooFarBy <= SKEW_LEDGERS),
  };
}

async function judge(
  payment: UptoPayment,
  simulation: Simulation,
  network: StellarNetwork,
  rules: UptoRules,
): Promise<Checked<SimulationSuccess>> {
  const authorization = checkUptoAuthorization(payment, rules.own, simulation.latestLedger);
  if (simulation.status !== 'success') {
    // An invalid authorization explains the failure better than the host's message.
    if (!authorization.ok) return authorization;
    return { ok: false, rejection: await explainUptoFailure(payment, simulation, network) };
  }

  // 7. The fee that this settlement would actually bid.
  const bid = totalBid(resourceFeeOf(simulation), rules.inclusionFeeStroops);
  if (bid > rules.maxTxFeeStroops) {
    const { archived } = simulation;
    const words = describeHighBid({ bid, ceiling: rules.maxTxFeeStroops, archived });
    return rejected('upto_fee_exceeds_maximum', words);
  }

  // 8. The events are the approve and the one transfer.
  const events = checkUptoEvents(simulation.events, payment.call, payment.amount);
  if (!events.ok) return events;

  // 9. A settlement of zero needs funds for the whole ceiling, as its verification does: otherwise a
  //    payer without funds could make the sponsor pay for nothing. A charge above zero only needs funds
  //    for itself, since the seller has delivered by then.
  if (payment.amount === 0n) {
    const lack = await explainByBalances(payment, payment.call.maxAmount, network);
    if (lack !== undefined) return { ok: false, rejection: lack };
  }

  // 10. The only authorization is the payer's, for these terms, and does not last too long.
  return authorization.ok ? accepted(simulation) : authorization;
}

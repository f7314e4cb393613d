import type { AccountAddress } from '../../../../protocol/index.ts';
import { nonceKey } from '../../../../protocol/stellar/index.ts';
import type {
  Simulation,
  SimulationFailure,
  SimulationSuccess,
  StellarNetwork,
} from '../../../network/index.ts';
import { resourceFeeOf, totalBid } from '../../../settlement/index.ts';
import { accepted, type Checked, type Rejection, rejected } from '../../payment/index.ts';
import { describeHighBid } from '../checks/describeHighBid.ts';
import { balanceKey } from '../explain/balance.ts';
import { firstLine, readAuthorizationRefusal } from '../explain/hostReport.ts';
import { lackOf } from '../explain/lackOf.ts';
import { readAssetOf } from '../explain/stellarAsset.ts';
import { type Judgement, SKEW_LEDGERS } from '../guardSkew.ts';
import { checkAuthorizations } from './checks/checkAuthorizations.ts';
import { checkEvents, checkOnlyTransfer } from './checks/checkEvents.ts';
import type { ExactPayment } from './exactPayment.ts';

export interface ExactRules {
  readonly own: ReadonlySet<AccountAddress>;
  readonly maxTxFeeStroops: bigint;
  readonly inclusionFeeStroops: bigint;
  readonly expiryToleranceLedgers: number;
}

/** Returns the last ledger that an authorization may name: maxTimeoutSeconds from now, plus the tolerance. */
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
 * Performs the verification steps that need the ledger, in the canonical order. A valid payment takes
 * one call: the simulation also returns the latest ledger, and if the transfer of a Stellar asset
 * simulates to its event, the recipient has a trustline.
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

/**
 * Returns the verdict for a transaction that the server refused before running it. Such a refusal does not name a ledger, so
 * skew is not considered.
 */
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
    // An invalid authorization explains the failure better than the host's message.
    if (!authorizations.ok) return authorizations;
    return { ok: false, rejection: await explainFailure(payment, simulation, network) };
  }

  // 7. The fee that this settlement would actually bid.
  const { minResourceFee } = simulation;
  const fee = checkFee({
    offered: payment.decoded.fee,
    minResourceFee,
    bid: totalBid(resourceFeeOf(simulation), rules.inclusionFeeStroops),
    ceiling: rules.maxTxFeeStroops,
    archived: simulation.archived,
  });
  if (!fee.ok) return fee;

  // 8. The only event is the transfer.
  const { onlyTransfer } = simulation;
  const events =
    onlyTransfer === undefined
      ? checkEvents(simulation.events, payment.transfer)
      : checkOnlyTransfer(onlyTransfer, payment.transfer);
  if (!events.ok) return events;

  // 9. The only authorization is the payer's, for this call, and does not last too long.
  if (!authorizations.ok) return authorizations;
  return accepted(simulation);
}

export interface FeeTerms {
  /** Fee in the buyer's envelope. It is not the bid. If it is too low, the buyer's simulation is outdated. */
  readonly offered: bigint;
  readonly minResourceFee: bigint;
  /** The sponsor's actual total bid. */
  readonly bid: bigint;
  readonly ceiling: bigint;
  /** Archived entries that the settlement would have to restore first; the bid pays for it. */
  readonly archived: number;
}

/** Checks that the fee is neither below what execution needs nor above the ceiling (spec: Limits/Fee ceiling). */
export function checkFee(terms: FeeTerms): Checked<undefined> {
  const { offered, minResourceFee, bid, ceiling } = terms;
  if (offered < minResourceFee) {
    return rejected('fee_below_minimum', `${offered} offered, ${minResourceFee} needed`);
  }
  if (bid > ceiling) return rejected('fee_exceeds_maximum', describeHighBid(terms));
  return accepted(undefined);
}

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

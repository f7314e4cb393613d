import {
  type AtomicAmount,
  parseAtomicAmount,
  STELLAR_TESTNET,
} from '../../../../protocol/index.ts';
import {
  decodePaymentEnvelope,
  type PaymentEnvelope,
  readAuthorization,
  uptoAuthorizationKey,
  withActualAmount,
} from '../../../../protocol/stellar/index.ts';
import type { FacilitatorRequest, PaymentRequirements } from '../../../../protocol/wire/index.ts';
import {
  accepted,
  type Checked,
  judgeEntry,
  type PaymentStep,
  rejected,
} from '../../payment/index.ts';
import { checkRequirements, checkSources, checkTerms } from '../checks/checkTerms.ts';
import { invocationOperation, unsignedEnvelope } from '../checks/invocationEnvelope.ts';
import { checkCeiling } from './checks/checkCeiling.ts';
import { checkSettleCall } from './checks/checkSettleCall.ts';
import type { UptoPayment } from './uptoPayment.ts';
import type { UptoRules } from './uptoRules.ts';

const OVERCHARGE =
  'upto settles the full ceiling: the seller sent neither extra.actualAmount nor a lower amount';

/** Returns the payer's own authorization among the entries. It is valid until the earlier of its two expirations. */
function findAuthorization(
  { authorizations }: PaymentEnvelope,
  { contract, from, nonce, expirationLedger }: UptoPayment['call'],
): UptoPayment['authorization'] {
  for (const entry of authorizations) {
    const read = readAuthorization(entry);
    if (read?.address === from) {
      return {
        key: uptoAuthorizationKey(from, contract, nonce),
        nonce: read.nonce,
        expirationLedger: Math.min(expirationLedger, read.expirationLedger),
        judgeSignature: () => judgeEntry(entry, from),
      };
    }
  }
  return undefined;
}

/** Decodes the envelope: one invocation of a contract, not from one of our accounts. */
function decode(text: unknown, own: UptoRules['own']): Checked<PaymentEnvelope> {
  if (typeof text !== 'string') return rejected('upto_transaction_missing');
  const decoded = decodePaymentEnvelope(text);
  if (!decoded.ok) {
    return rejected(
      decoded.code === 'wrong_operation' ? 'upto_wrong_operation' : 'upto_transaction_malformed',
    );
  }
  const { envelope } = decoded;
  return checkSources(envelope, own).ok ? accepted(envelope) : rejected('upto_unsafe_source');
}

/**
 * Performs the verification steps that do not need the ledger. Pure. The resulting payment moves the ceiling when verified and
 * the actual amount when settled. The buyer's argument for the actual amount is ignored, because nobody signed it.
 */
export function prepareUpto(
  { x402Version, paymentPayload, paymentRequirements }: FacilitatorRequest,
  step: PaymentStep,
  rules: UptoRules,
): Checked<UptoPayment> {
  // 1. Version, scheme, network, and the settlement contract that the seller names.
  const terms = checkTerms({ x402Version, paymentPayload, paymentRequirements }, 'upto');
  if (!terms.ok) return terms;
  const named = paymentRequirements.extra?.['uptoContract'] ?? rules.contract;
  if (named !== rules.contract) return rejected('upto_wrong_contract', String(named));

  // 2. The envelope.
  const decoded = decode(paymentPayload.payload.transaction, rules.own);
  if (!decoded.ok) return decoded;

  // 3. The requirements that the call must match.
  const required = checkRequirements(paymentRequirements);
  if (!required.ok) return required;
  const call = checkSettleCall(decoded.value, required.value, rules);
  if (!call.ok) return call;

  // 4. The ceiling is the amount that the buyer accepted.
  const { amount } = required.value;
  const ceiling = checkCeiling(paymentPayload.accepted, paymentRequirements, call.value.maxAmount);
  if (!ceiling.ok) return ceiling;
  if (step === 'verify' && amount !== ceiling.value) {
    return rejected('upto_ceiling_mismatch', `${ceiling.value} signed, ${amount} required`);
  }

  // 5. The actual amount, needed only for settling.
  const chosen =
    step === 'verify'
      ? accepted({ actual: ceiling.value, stated: true })
      : chooseActualAmount(paymentRequirements, amount, ceiling.value);
  if (!chosen.ok) return chosen;
  const { actual, stated } = chosen.value;

  const { source, invocation, authorizations } = decoded.value;
  const operation = invocationOperation(withActualAmount(invocation, actual), authorizations);
  return accepted({
    network: STELLAR_TESTNET,
    asset: required.value.asset,
    payTo: required.value.payTo,
    payer: call.value.from,
    amount: actual,
    envelope: unsignedEnvelope(operation, source),
    operation: operation.toXdr(),
    authorization: findAuthorization(decoded.value, call.value),
    maxTimeoutSeconds: paymentRequirements.maxTimeoutSeconds,
    ...(stated ? {} : { warning: OVERCHARGE }),
    decoded: decoded.value,
    call: call.value,
  });
}

/** The amount to settle, and whether the seller chose it. */
interface ChosenAmount {
  readonly actual: AtomicAmount;
  readonly stated: boolean;
}

/**
 * Returns the amount that a seller asks to settle: `extra.actualAmount`, as in the specification, or a settle request's amount
 * below the ceiling, as in the canonical packages. Without either, it returns the ceiling (spec: Upto wire shape). `null` does
 * not count as absent: JSON encodes a seller's NaN as `null`.
 */
function chooseActualAmount(
  { extra }: PaymentRequirements,
  required: AtomicAmount,
  ceiling: AtomicAmount,
): Checked<ChosenAmount> {
  const text = extra?.['actualAmount'];
  const lowered = required === ceiling ? undefined : required;
  if (text === undefined) {
    if (required > ceiling) return rejected('upto_actual_exceeds_ceiling', `${required}`);
    return accepted({ actual: lowered ?? ceiling, stated: lowered !== undefined });
  }
  const actual = typeof text === 'string' ? parseAtomicAmount(text) : undefined;
  if (actual === undefined) return rejected('upto_actual_amount_malformed');
  if (lowered !== undefined && lowered !== actual) {
    return rejected('upto_actual_amounts_differ', `${actual} and ${lowered}`);
  }
  if (actual > ceiling) return rejected('upto_actual_exceeds_ceiling', `${actual} > ${ceiling}`);
  return accepted({ actual, stated: true });
}

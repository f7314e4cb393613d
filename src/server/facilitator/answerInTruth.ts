import type { FacilitatorRequest } from '../../protocol/wire/index.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import type { PaymentStep, SettleOutcome, VerifyOutcome } from './payment/index.ts';
import { chooseScheme } from './schemes/index.ts';
import { inTruth } from './truth/index.ts';

function isRequired(request: FacilitatorRequest, step: PaymentStep, parts: FacilitatorParts) {
  return () => chooseScheme(parts.schemes, request).prepare(request, step).ok;
}

/** Completes a verdict with what is known of the payment's money. */
export async function verifyInTruth(
  outcome: VerifyOutcome,
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<VerifyOutcome> {
  if (outcome.status === 'valid') return outcome;
  const { transaction } = request.paymentPayload.payload;
  const required = isRequired(request, 'verify', parts);
  const rejection = await inTruth(outcome.rejection, transaction, required, parts);
  return { status: 'invalid', rejection };
}

/**
 * Completes the answer of a settlement with what is known of the payment's money. If another transaction paid, the answer is a
 * refusal that names it: a success would let a second seller, or a second request, be served for one payment.
 */
export async function settleInTruth(
  outcome: SettleOutcome,
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  if (outcome.status === 'settled' || outcome.status === 'pending') return outcome;
  const { transaction } = request.paymentPayload.payload;
  const required = isRequired(request, 'settle', parts);
  const rejection = await inTruth(outcome.rejection, transaction, required, parts);
  return rejection.code === 'authorization_replayed'
    ? { status: 'rejected', rejection }
    : { ...outcome, rejection };
}

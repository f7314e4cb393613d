import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { RpcError } from '../../network/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { refusal, refusalOf, type VerifyOutcome } from '../payment/index.ts';
import { chooseScheme } from '../schemes/index.ts';
import { within } from './within.ts';

/** Verifies a payment. Changes nothing: the same payment may be verified any number of times. */
export async function verifyPayment(
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<VerifyOutcome> {
  // 1. The form, which needs no ledger.
  const scheme = chooseScheme(parts.schemes, request);
  const prepared = scheme.prepare(request, 'verify');
  if (!prepared.ok)
    return { status: 'invalid', rejection: refusalOf(prepared.rejection, undefined) };
  const payment = prepared.value;
  const { payer, authorization } = payment;

  // 2. The authorization was not presented for settlement before.
  try {
    if (authorization !== undefined && (await parts.journal.isKnown(authorization.key))) {
      return { status: 'invalid', rejection: refusal('authorization_replayed', payer) };
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    parts.logger.error({ reason: error.code }, 'the store gave no answer');
    return {
      status: 'invalid',
      rejection: refusal('store_unavailable', payer, error.code),
    };
  }

  // 3. The whole transaction, simulated against the ledger.
  try {
    const simulation = scheme.simulate(payment, payment.envelope);
    const simulated = await within(simulation, parts.limits.answerWithinMs, parts.clock);
    if (simulated === undefined) {
      const rejection = refusal('ledger_unavailable', payer, 'no answer in time');
      return { status: 'invalid', rejection };
    }
    return simulated.ok
      ? { status: 'valid', payer }
      : { status: 'invalid', rejection: refusalOf(simulated.rejection, payer) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    parts.logger.warn({ method: error.method, reason: error.code }, 'the ledger gave no answer');
    const rejection = refusal('ledger_unavailable', payer, error.message);
    return { status: 'invalid', rejection };
  }
}

import {
  CannotPayError,
  DisallowedAssetError,
  InvalidRequirementsError,
  MaxAmountExceededError,
  NoUsablePaymentOptionError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  RpcFailedError,
  SettledWithoutResourceError,
} from '../../sdk/exact/index.ts';
import { TestFailure } from '../request/index.ts';

/** Maps a payment error to a test payment failure. */
export function explainPaymentError(error: unknown): TestFailure {
  if (error instanceof TestFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const failure = (code: TestFailure['code'], transaction = '') =>
    new TestFailure(code, detail, transaction, { cause: error });
  if (error instanceof SettledWithoutResourceError) {
    return failure('settled_without_resource', error.transaction);
  }
  if (error instanceof PaymentRejectedError) {
    return /trustline_recipient|missing_trustline/.test(error.reason)
      ? failure('payto_without_trustline')
      : failure('facilitator_refused', error.transaction);
  }
  if (error instanceof PaymentOutcomeUnknownError) return failure('outcome_unknown');
  if (error instanceof MaxAmountExceededError) return failure('price_too_high');
  if (error instanceof DisallowedAssetError) return failure('unsupported_asset');
  if (error instanceof InvalidRequirementsError) return failure('invalid_terms');
  if (error instanceof RpcFailedError) return failure('network_down');
  if (error instanceof CannotPayError) return failure('cannot_pay');
  if (error instanceof NoUsablePaymentOptionError) {
    return failure(error.because === 'fees_not_sponsored' ? 'fees_not_sponsored' : 'wrong_network');
  }
  return failure('internal');
}

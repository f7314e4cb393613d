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
import { t } from '../words/index.ts';
import { type Answer, answerWords } from './paidRequest.ts';

/** Maps the error of a payment that was sent to a test payment failure, by what the ledger showed about the payment. */
export function explainSentPayment(error: unknown, answer: Answer | undefined): unknown {
  const isSent =
    error instanceof SettledWithoutResourceError || error instanceof PaymentOutcomeUnknownError;
  if (!isSent || answer === undefined) return error;
  const words = answerWords(answer);
  const { moneyMoved, fate } = error;
  switch (moneyMoved) {
    case 'yes':
      return new TestFailure('settled_without_resource', words, error.transaction, {
        cause: error,
      });
    case 'no':
      return new TestFailure('not_settled', words, '', { cause: error });
    case 'not_yet': {
      const detail =
        fate?.state === 'open'
          ? t('{0}; it can still settle until ledger {1}', words, fate.until)
          : words;
      return new TestFailure('endpoint_failed_paid', detail, '', { cause: error });
    }
    case 'unknown':
      return new TestFailure('outcome_unknown', words, '', { cause: error });
  }
}

/** Maps a payment error to a test payment failure. */
export function explainPaymentError(error: unknown): TestFailure {
  if (error instanceof TestFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const failure = (code: TestFailure['code'], transaction = '') =>
    new TestFailure(code, detail, transaction, { cause: error });
  if (error instanceof SettledWithoutResourceError) {
    return error.moneyMoved === 'yes'
      ? failure('settled_without_resource', error.transaction)
      : failure('outcome_unknown', error.transaction);
  }
  if (error instanceof PaymentRejectedError) {
    return /trustline_recipient|missing_trustline/.test(error.reason)
      ? failure('payto_without_trustline')
      : failure('facilitator_refused', error.transaction);
  }
  if (error instanceof PaymentOutcomeUnknownError) {
    return failure(error.moneyMoved === 'no' ? 'not_settled' : 'outcome_unknown');
  }
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

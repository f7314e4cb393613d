/** Paying `exact` on Stellar: reading terms, signing one transfer, and reading its outcome. */

export type { AuthorizationFate } from '../../protocol/fate/index.ts';
export { type Challenge, type OfferedOption, readChallenge } from './challenge.ts';
export {
  choosePaymentOption,
  type PaymentLimits,
  type PaymentOption,
} from './choosePaymentOption.ts';
export { createPayment, type PaymentMeans, type SignedPayment } from './createPayment.ts';
export * from './errors.ts';
export * from './httpTransport.ts';
export {
  type PaidResponse,
  type Payment,
  type PaymentPlan,
  type PaymentStep,
  payForResource,
} from './payForResource.ts';
export { isPaymentId, PAYMENT_IDENTIFIER } from './paymentIdentifier.ts';
export { type PaymentOutcome, paymentOutcome } from './paymentOutcome.ts';
export {
  accountSigner,
  type KnownSigner,
  knownSigner,
  type PaymentSigner,
  requireFunction,
  type SignHash,
  type SigningRequest,
  type SorobanValue,
  shown,
  type WalletSigner,
} from './paymentSigner.ts';
export {
  type PaymentProtocol,
  type PaymentTerms,
  PROTOCOLS,
  readTerms as readPaymentTerms,
} from './paymentTerms.ts';
export { type Platform, type WebCrypto, webPlatform } from './platform.ts';
export { readMppSettlement, readSettlement, type Settlement } from './readSettlement.ts';
export type { SentPayment } from './sentPayment.ts';
export { freshNonce, signAuthorization } from './signAuthorization.ts';
export { decode, succeed } from './simulationSuccess.ts';
export { connectRpc, type SorobanRpc } from './sorobanRpc.ts';
export { NULL_ACCOUNT, transferEnvelope } from './transferEnvelope.ts';
export { type MoneyMoved, X402Error, type X402ErrorCode } from './x402Error.ts';

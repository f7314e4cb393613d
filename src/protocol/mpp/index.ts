/**
 * The wire forms of MPP (the `Payment` scheme of HTTP authentication), and of its charges on Stellar. Pure: texts in, values out.
 * Nothing here computes an HMAC, so that buyers in browsers can use it.
 */
export { acceptsCharge } from './acceptPayment.ts';
export { canonicalJson } from './canonicalJson.ts';
export {
  challengeText,
  MAX_CHALLENGES,
  type MppChallenge,
  readChallenges,
  writeChallenge,
} from './challenge.ts';
export {
  CHARGE_INTENT,
  type ChargeRequest,
  chargeRequest,
  readChargeRequest,
  readSource,
  STELLAR_METHOD,
  sourceOf,
} from './charge.ts';
export {
  isPaymentScheme,
  type MppCredential,
  readCredential,
  writeCredential,
} from './credential.ts';
export { decodeJson, encodeJson, MAX_MESSAGE } from './encodedJson.ts';
export {
  CREDENTIAL_META,
  challengeToJson,
  credentialHeader,
  credentialToJson,
  declaredMethods,
  PAYMENT_REQUIRED_CODE,
  RECEIPT_META,
  REQUIRED_META,
  type ReceivedChallenge,
  readRequired,
  VERIFICATION_FAILED_CODE,
} from './jsonRpc.ts';
export { type MppProblem, type ProblemName, problemNamed, problemOf } from './problem.ts';
export { type MppReceipt, readReceipt, writeReceipt } from './receipt.ts';

/** Headers of MPP. The payment itself is in `Authorization`. */
export const ACCEPT_PAYMENT_HEADER = 'Accept-Payment';
export const PAYMENT_RECEIPT_HEADER = 'Payment-Receipt';

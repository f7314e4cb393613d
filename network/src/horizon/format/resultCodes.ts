import type { xdr } from '@stellar/stellar-sdk';

/** Codes for which Horizon does not use the protocol's name in snake case (`internal/codes` of Horizon). */
const TRANSACTION_EXCEPTIONS: Readonly<Record<string, string>> = {
  txNoAccount: 'tx_no_source_account',
  txBadMinSeqAgeOrGap: 'tx_bad_minseq_age_or_gap',
};

const OPERATION_EXCEPTIONS: Readonly<Record<string, string>> = {
  opNoAccount: 'op_no_source_account',
  createAccountAlreadyExist: 'op_already_exists',
  pathPaymentStrictReceiveOfferCrossSelf: 'op_cross_self',
  pathPaymentStrictReceiveOverSendmax: 'op_over_source_max',
  pathPaymentStrictSendOfferCrossSelf: 'op_cross_self',
  pathPaymentStrictSendUnderDestmin: 'op_under_dest_min',
  manageSellOfferSellNotAuthorized: 'sell_not_authorized',
  manageSellOfferBuyNotAuthorized: 'buy_not_authorized',
  manageSellOfferBuyNoIssuer: 'buy_no_issuer',
  manageSellOfferNotFound: 'op_offer_not_found',
  manageBuyOfferSellNotAuthorized: 'sell_not_authorized',
  manageBuyOfferBuyNotAuthorized: 'buy_not_authorized',
  manageBuyOfferBuyNoIssuer: 'buy_no_issuer',
  manageBuyOfferNotFound: 'op_offer_not_found',
  changeTrustNotAuthMaintainLiabilities: 'op_not_aut_maintain_liabilities',
  allowTrustNoTrustLine: 'op_no_trust',
  allowTrustTrustNotRequired: 'op_not_required',
  accountMergeSeqnumTooFar: 'op_seq_num_too_far',
  manageDataNameNotFound: 'op_data_name_not_found',
  manageDataInvalidName: 'op_data_invalid_name',
  clawbackClaimableBalanceNotIssuer: 'op_no_issuer',
  setTrustLineFlagsNoTrustLine: 'op_no_trust',
  invokeHostFunctionTrapped: 'function_trapped',
  invokeHostFunctionResourceLimitExceeded: 'resource_limit_exceeded',
  invokeHostFunctionEntryArchived: 'entry_archived',
  invokeHostFunctionInsufficientRefundableFee: 'insufficient_refundable_fee',
  extendFootprintTtlResourceLimitExceeded: 'resource_limit_exceeded',
  extendFootprintTtlInsufficientRefundableFee: 'insufficient_refundable_fee',
  restoreFootprintResourceLimitExceeded: 'resource_limit_exceeded',
  restoreFootprintInsufficientRefundableFee: 'insufficient_refundable_fee',
};

/** `extras.result_codes` of a failed transaction. */
export interface ResultCodes {
  readonly transaction: string;
  readonly inner_transaction?: string;
  readonly operations?: readonly string[];
}

/**
 * Returns the codes of a result under Horizon's names.
 * @param hash hex, the requested one: a fee bump's inner transaction has its own result
 */
export function resultCodes({ result }: xdr.TransactionResult, hash: string): ResultCodes {
  if (result.type !== 'txFeeBumpInnerSuccess' && result.type !== 'txFeeBumpInnerFailed') {
    return { transaction: transactionCode(result), ...operationCodes(result) };
  }
  const { transactionHash, result: inner } = result.innerResultPair;
  const operations = operationCodes(inner.result);
  if (Buffer.from(transactionHash.value).toString('hex') === hash) {
    return { transaction: transactionCode(inner.result), ...operations };
  }
  return {
    transaction: transactionCode(result),
    inner_transaction: transactionCode(inner.result),
    ...operations,
  };
}

/** The code of one operation: `op_success`, `op_underfunded`, … */
export function operationCode(result: xdr.OperationResult): string {
  if (result.type !== 'opInner') return OPERATION_EXCEPTIONS[result.type] ?? snake(result.type);
  const { tr } = result;
  const inner: { readonly type: string } = tr.value;
  const family = tr.type === 'createPassiveSellOffer' ? 'manageSellOffer' : tr.type;
  return OPERATION_EXCEPTIONS[inner.type] ?? `op${snake(inner.type.slice(family.length))}`;
}

function transactionCode({ type }: { readonly type: string }): string {
  return TRANSACTION_EXCEPTIONS[type] ?? snake(type);
}

function operationCodes(
  result: xdr.TransactionResultResult | xdr.InnerTransactionResultResult,
): Pick<ResultCodes, 'operations'> {
  if (result.type !== 'txSuccess' && result.type !== 'txFailed') return {};
  if (result.results.length === 0) return {};
  return { operations: result.results.map(operationCode) };
}

/** `txBadSeq` as `tx_bad_seq`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

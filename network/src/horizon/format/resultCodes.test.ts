import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { operationCode, resultCodes } from './resultCodes.ts';

const inner = (tr: xdr.OperationResultTr): xdr.OperationResult => xdr.OperationResult.opInner(tr);

function transactionResult(result: xdr.TransactionResultResult): xdr.TransactionResult {
  return new xdr.TransactionResult({
    feeCharged: 100n,
    result,
    ext: xdr.TransactionResultExt.v0(),
  });
}

describe('Result codes of operations have Horizon’s names', () => {
  const T = xdr.OperationResultTr;
  const cases: readonly [xdr.OperationResult, string][] = [
    [xdr.OperationResult.opBadAuth(), 'op_bad_auth'],
    [xdr.OperationResult.opNoAccount(), 'op_no_source_account'],
    [xdr.OperationResult.opTooManySubentries(), 'op_too_many_subentries'],
    [inner(T.payment(xdr.PaymentResult.paymentSuccess())), 'op_success'],
    [inner(T.payment(xdr.PaymentResult.paymentSrcNoTrust())), 'op_src_no_trust'],
    [
      inner(T.createAccount(xdr.CreateAccountResult.createAccountAlreadyExist())),
      'op_already_exists',
    ],
    [
      inner(
        T.pathPaymentStrictReceive(
          xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveOverSendmax(),
        ),
      ),
      'op_over_source_max',
    ],
    [
      inner(
        T.pathPaymentStrictSend(
          xdr.PathPaymentStrictSendResult.pathPaymentStrictSendUnderDestmin(),
        ),
      ),
      'op_under_dest_min',
    ],
    [
      inner(T.manageSellOffer(xdr.ManageSellOfferResult.manageSellOfferSellNoTrust())),
      'op_sell_no_trust',
    ],
    [
      inner(T.createPassiveSellOffer(xdr.ManageSellOfferResult.manageSellOfferBuyNotAuthorized())),
      'buy_not_authorized',
    ],
    [
      inner(T.changeTrust(xdr.ChangeTrustResult.changeTrustNotAuthMaintainLiabilities())),
      'op_not_aut_maintain_liabilities',
    ],
    [
      inner(T.accountMerge(xdr.AccountMergeResult.accountMergeSeqnumTooFar())),
      'op_seq_num_too_far',
    ],
    [inner(T.manageData(xdr.ManageDataResult.manageDataNameNotFound())), 'op_data_name_not_found'],
    [
      inner(T.invokeHostFunction(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())),
      'function_trapped',
    ],
    [
      inner(T.liquidityPoolDeposit(xdr.LiquidityPoolDepositResult.liquidityPoolDepositBadPrice())),
      'op_bad_price',
    ],
  ];
  for (const [result, code] of cases) {
    it(code, () => assert.equal(operationCode(result), code));
  }
});

describe('Result codes of transactions', () => {
  const R = xdr.TransactionResultResult;
  const hash = 'ab'.repeat(32);

  it('are alone if no operation was reached', () => {
    assert.deepEqual(resultCodes(transactionResult(R.txBadSeq()), hash), {
      transaction: 'tx_bad_seq',
    });
    assert.equal(
      resultCodes(transactionResult(R.txBadMinSeqAgeOrGap()), hash).transaction,
      'tx_bad_minseq_age_or_gap',
    );
    assert.equal(
      resultCodes(transactionResult(R.txNoAccount()), hash).transaction,
      'tx_no_source_account',
    );
  });

  it('of a fee bump are reported to the sender of the inner transaction as its own', () => {
    const pair = new xdr.InnerTransactionResultPair({
      transactionHash: new xdr.Hash(Buffer.from(hash, 'hex')),
      result: new xdr.InnerTransactionResult({
        feeCharged: 0n,
        result: xdr.InnerTransactionResultResult.txFailed([xdr.OperationResult.opBadAuth()]),
        ext: xdr.InnerTransactionResultExt.v0(),
      }),
    });
    const result = transactionResult(R.txFeeBumpInnerFailed(pair));
    assert.deepEqual(resultCodes(result, hash), {
      transaction: 'tx_failed',
      operations: ['op_bad_auth'],
    });
    assert.deepEqual(resultCodes(result, '00'.repeat(32)), {
      transaction: 'tx_fee_bump_inner_failed',
      inner_transaction: 'tx_failed',
      operations: ['op_bad_auth'],
    });
  });
});

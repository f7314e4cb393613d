import type { xdr } from '@stellar/stellar-sdk';
import { accountFields, accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields, canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { hexText } from '../format/hex.ts';
import { predicateText } from '../format/predicate.ts';
import { type Claim, claimsOf, isPoolClaim, movedNothing } from '../history/claims.ts';
import { dataOf, type HistoryOperation, poolDelta } from '../history/historyOperation.ts';
import type { Resource } from '../http/paging.ts';
import { receivedBy, sentBy } from '../operations/paymentDetails.ts';
import { type Effect, effectOn, effectOnAccount } from './effect.ts';

/** The weight of a new account's master key. */
const FIRST_WEIGHT = 1;

export function createAccountEffects(op: xdr.CreateAccountOp, source: xdr.MuxedAccount): Effect[] {
  const amount = amountText(op.startingBalance);
  return [
    effectOnAccount(op.destination, 'account_created', { starting_balance: amount }),
    effectOn(source, 'account_debited', { asset_type: 'native', amount }),
    firstSigner(op.destination),
  ];
}

/** The effect that comes with every new account, however it was created. */
export function firstSigner(account: xdr.PublicKey): Effect {
  return effectOnAccount(account, 'signer_created', {
    weight: FIRST_WEIGHT,
    public_key: accountText(account),
    key: accountText(account),
  });
}

export function paymentEffects(op: xdr.PaymentOp, source: xdr.MuxedAccount): Effect[] {
  const details = assetAmount(op.asset, op.amount);
  return [
    effectOn(op.destination, 'account_credited', details),
    effectOn(source, 'account_debited', details),
  ];
}

export function strictReceiveEffects(
  op: xdr.PathPaymentStrictReceiveOp,
  operation: HistoryOperation,
): Effect[] {
  const sent = assetAmount(op.sendAsset, sentBy(operation) ?? 0n);
  return [
    effectOn(op.destination, 'account_credited', assetAmount(op.destAsset, op.destAmount)),
    effectOn(operation.source, 'account_debited', sent),
    ...tradeEffects(operation),
  ];
}

export function strictSendEffects(
  op: xdr.PathPaymentStrictSendOp,
  operation: HistoryOperation,
): Effect[] {
  const received = assetAmount(op.destAsset, receivedBy(operation) ?? 0n);
  return [
    effectOn(op.destination, 'account_credited', received),
    effectOn(operation.source, 'account_debited', assetAmount(op.sendAsset, op.sendAmount)),
    ...tradeEffects(operation),
  ];
}

export function accountMergeEffects(
  destination: xdr.MuxedAccount,
  operation: HistoryOperation,
): Effect[] {
  const { source } = operation;
  const result = operation.result('accountMerge')?.accountMergeResult;
  const amount = result?.type === 'accountMergeSuccess' ? result.sourceAccountBalance : 0n;
  const details = { asset_type: 'native', amount: amountText(amount) };
  return [
    effectOn(source, 'account_debited', details),
    effectOn(destination, 'account_credited', details),
    effectOn(source, 'account_removed', {}),
  ];
}

export function assetAmount(asset: xdr.Asset, amount: bigint): Resource {
  return { ...assetFields(asset), amount: amountText(amount) };
}

/** The effects of an operation's trades on the taker and the makers. */
export function tradeEffects(operation: HistoryOperation): Effect[] {
  return claimsOf(operation)
    .filter((claim) => !movedNothing(claim))
    .flatMap((claim) =>
      isPoolClaim(claim) ? poolTrade(operation, claim) : offerTrade(operation.source, claim),
    );
}

function offerTrade(buyer: xdr.MuxedAccount, claim: xdr.ClaimOfferAtom): Effect[] {
  const offer = { offer_id: String(claim.offerId) };
  const taken = {
    seller: accountText(claim.sellerId),
    ...offer,
    ...side('bought', claim.assetSold, claim.amountSold),
    ...side('sold', claim.assetBought, claim.amountBought),
  };
  const made = {
    ...accountFields('seller', buyer),
    ...offer,
    ...side('bought', claim.assetBought, claim.amountBought),
    ...side('sold', claim.assetSold, claim.amountSold),
  };
  return [effectOn(buyer, 'trade', taken), effectOnAccount(claim.sellerId, 'trade', made)];
}

function poolTrade(operation: HistoryOperation, claim: xdr.ClaimLiquidityAtom): Effect[] {
  const pool = poolDelta(operation.deltas, claim.liquidityPoolId)?.pool;
  if (pool === undefined) return [];
  return [
    effectOn(operation.source, 'liquidity_pool_trade', {
      liquidity_pool: poolFields(pool),
      sold: { asset: canonicalAsset(claim.assetSold), amount: amountText(claim.amountSold) },
      bought: { asset: canonicalAsset(claim.assetBought), amount: amountText(claim.amountBought) },
    }),
  ];
}

function side(name: string, asset: Claim['assetSold'], amount: bigint): Resource {
  return { [`${name}_amount`]: amountText(amount), ...assetFields(asset, `${name}_`) };
}

export function poolDepositEffects(operation: HistoryOperation): Effect[] {
  const { body } = operation;
  if (body.type !== 'liquidityPoolDeposit') return [];
  const delta = poolDelta(operation.deltas, body.liquidityPoolDepositOp.liquidityPoolId);
  if (delta === undefined) return [];
  return [
    effectOn(operation.source, 'liquidity_pool_deposited', {
      liquidity_pool: poolFields(delta.pool),
      reserves_deposited: poolAmounts(delta.pool, delta.reserveA, delta.reserveB),
      shares_received: amountText(delta.shares),
    }),
  ];
}

export function poolWithdrawEffects(operation: HistoryOperation): Effect[] {
  const { body } = operation;
  if (body.type !== 'liquidityPoolWithdraw') return [];
  const delta = poolDelta(operation.deltas, body.liquidityPoolWithdrawOp.liquidityPoolId);
  if (delta === undefined) return [];
  return [
    effectOn(operation.source, 'liquidity_pool_withdrew', {
      liquidity_pool: poolFields(delta.pool),
      reserves_received: poolAmounts(delta.pool, -delta.reserveA, -delta.reserveB),
      shares_redeemed: amountText(-delta.shares),
    }),
  ];
}

/** The effects on pool shares whose holder is no longer authorized to hold one of the assets (CAP-38). */
export function poolRevokedEffects(operation: HistoryOperation): Effect[] {
  const delta = poolDelta(operation.deltas);
  const balances = balancesMade(operation);
  if (delta === undefined || balances.length === 0) return [];
  const ids = new Map(
    balances.map(({ asset, balanceId }) => [canonicalAsset(asset), balanceIdText(balanceId)]),
  );
  const revoked = poolAmounts(delta.pool, -delta.reserveA, -delta.reserveB).flatMap((reserve) => {
    const id = ids.get(reserve.asset);
    return id === undefined ? [] : [{ ...reserve, claimable_balance_id: id }];
  });
  return [
    ...balances.flatMap((balance) => balanceMadeEffects(operation, balance)),
    effectOn(operation.source, 'liquidity_pool_revoked', {
      liquidity_pool: poolFields(delta.pool),
      reserves_revoked: revoked,
      shares_revoked: amountText(-delta.shares),
    }),
  ];
}

/** The effects for pools that were created with their first share or removed with their last. */
export function poolLifeEffects({ deltas, source }: HistoryOperation): Effect[] {
  return deltas.flatMap(({ before, after }): Effect[] => {
    const [former, latter] = [dataOf(before, 'liquidityPool'), dataOf(after, 'liquidityPool')];
    if (former === undefined && latter !== undefined) {
      const made = { liquidity_pool: poolFields(latter.liquidityPool) };
      return [effectOn(source, 'liquidity_pool_created', made)];
    }
    if (former !== undefined && after === undefined) {
      const id = hexText(former.liquidityPool.liquidityPoolId.value);
      return [effectOn(source, 'liquidity_pool_removed', { liquidity_pool_id: id })];
    }
    return [];
  });
}

/** The fields of a pool, wherever it is mentioned. */
export function poolFields(pool: xdr.LiquidityPoolEntry) {
  const { params, reserveA, reserveB, totalPoolShares, poolSharesTrustLineCount } =
    pool.body.constantProduct;
  return {
    id: hexText(pool.liquidityPoolId.value),
    fee_bp: params.fee,
    type: 'constant_product' as const,
    total_trustlines: String(poolSharesTrustLineCount),
    total_shares: amountText(totalPoolShares),
    reserves: poolAmounts(pool, reserveA, reserveB),
  };
}

/** Amounts of both assets of a pool. */
function poolAmounts(
  { body }: xdr.LiquidityPoolEntry,
  a: bigint,
  b: bigint,
): { readonly asset: string; readonly amount: string }[] {
  const { assetA, assetB } = body.constantProduct.params;
  return [
    { asset: canonicalAsset(assetA), amount: amountText(a) },
    { asset: canonicalAsset(assetB), amount: amountText(b) },
  ];
}

export function createClaimableBalanceEffects(operation: HistoryOperation): Effect[] {
  const [balance] = balancesMade(operation);
  if (balance === undefined) return [];
  return [
    ...balanceMadeEffects(operation, balance),
    effectOn(operation.source, 'account_debited', assetAmount(balance.asset, balance.amount)),
  ];
}

export function claimClaimableBalanceEffects(
  op: xdr.ClaimClaimableBalanceOp,
  operation: HistoryOperation,
): Effect[] {
  const id = balanceIdText(op.balanceId);
  const balance = balancesGone(operation).find((one) => balanceIdText(one.balanceId) === id);
  if (balance === undefined) return [];
  const { source } = operation;
  return [
    effectOn(source, 'claimable_balance_claimed', balanceFields(balance)),
    effectOn(source, 'account_credited', assetAmount(balance.asset, balance.amount)),
  ];
}

/** A clawed-back amount is reported as if its issuer had received it. */
export function clawbackClaimableBalanceEffects(
  op: xdr.ClawbackClaimableBalanceOp,
  operation: HistoryOperation,
): Effect[] {
  const { source } = operation;
  const clawedBack = effectOn(source, 'claimable_balance_clawed_back', {
    balance_id: balanceIdText(op.balanceId),
  });
  const [balance] = balancesGone(operation);
  if (balance === undefined) return [clawedBack];
  const credited = assetAmount(balance.asset, balance.amount);
  return [clawedBack, effectOn(source, 'account_credited', credited)];
}

/** The claimable balances that an operation created. */
function balancesMade({ deltas }: HistoryOperation): xdr.ClaimableBalanceEntry[] {
  return deltas.flatMap(({ before, after }) => {
    const balance = dataOf(after, 'claimableBalance')?.claimableBalance;
    return before === undefined && balance !== undefined ? [balance] : [];
  });
}

/**
 * The effects of a new balance on its creator and its claimants. Predicates are taken from the operation if it has them,
 * because relative times become absolute when the balance is created.
 */
function balanceMadeEffects(
  { body, source }: HistoryOperation,
  balance: xdr.ClaimableBalanceEntry,
): Effect[] {
  const { claimants } =
    body.type === 'createClaimableBalance' ? body.createClaimableBalanceOp : balance;
  const fields = balanceFields(balance);
  return [
    effectOn(source, 'claimable_balance_created', fields),
    ...claimants.map(({ v0 }) =>
      effectOnAccount(v0.destination, 'claimable_balance_claimant_created', {
        ...fields,
        predicate: predicateText(v0.predicate),
      }),
    ),
  ];
}

function balancesGone({ deltas }: HistoryOperation): xdr.ClaimableBalanceEntry[] {
  return deltas.flatMap(({ before, after }) => {
    const balance = dataOf(before, 'claimableBalance')?.claimableBalance;
    return after === undefined && balance !== undefined ? [balance] : [];
  });
}

function balanceFields(balance: xdr.ClaimableBalanceEntry): Effect['details'] {
  return {
    asset: canonicalAsset(balance.asset),
    balance_id: balanceIdText(balance.balanceId),
    amount: amountText(balance.amount),
  };
}

import type { AccountIdString } from '../../state/index.ts';
import { operationEffects } from '../effects/operationEffects.ts';
import { dataOf } from '../past/entryDelta.ts';
import { operationParticipants, transactionParticipants } from '../past/participants.ts';
import type { PastOperation } from '../past/pastOperation.ts';
import type { PastTransaction } from '../past/pastTransaction.ts';
import { type Trade, tradesOf } from '../past/trade.ts';
import { parseAccount } from '../text/address.ts';
import { canonicalAsset } from '../text/asset.ts';
import { balanceIdText } from '../text/balanceId.ts';
import { hexText } from '../text/hex.ts';

/** What can be looked for in the past: each is one text, so that an index is one map. */
export const pastKey = {
  anything: 'anything',
  payments: 'payments',
  trades: 'trades',
  account: (account: AccountIdString) => `account ${account}`,
  paymentsOf: (account: AccountIdString) => `payments ${account}`,
  effectsOf: (account: AccountIdString) => `effects ${account}`,
  tradesOf: (account: AccountIdString) => `trades ${account}`,
  tradesOfOffer: (offerId: bigint) => `offer ${offerId}`,
  /** @param base and counter as `canonicalAsset` writes them, in either order */
  tradesOfMarket: (base: string, counter: string) => `market ${[base, counter].sort().join(' ')}`,
  /** @param asset as `canonicalAsset` writes it */
  tradesOfAsset: (asset: string) => `asset ${asset}`,
  pool: (id: string) => `pool ${id}`,
  claimableBalance: (id: string) => `balance ${id}`,
};

/** Operations that Horizon takes for payments (`IsPayment`). */
export function isPayment({ body, assetEvents }: PastOperation): boolean {
  switch (body.type) {
    case 'createAccount':
    case 'payment':
    case 'pathPaymentStrictReceive':
    case 'pathPaymentStrictSend':
    case 'accountMerge':
      return true;
    default:
      return assetEvents.length > 0;
  }
}

/** The pools that an operation touched, as hex. */
export function poolsOf({ deltas }: PastOperation): string[] {
  return deltas.flatMap(({ before, after }) => {
    const pool = dataOf(after ?? before, 'liquidityPool')?.liquidityPool;
    return pool === undefined ? [] : [hexText(pool.liquidityPoolId.value)];
  });
}

/** The claimable balances that an operation touched, as Horizon names them. */
export function claimableBalancesOf({ deltas }: PastOperation): string[] {
  return deltas.flatMap(({ before, after }) => {
    const balance = dataOf(after ?? before, 'claimableBalance')?.claimableBalance;
    return balance === undefined ? [] : [balanceIdText(balance.balanceId)];
  });
}

/** Everything for which a ledger with these transactions may be looked into. */
export function keysOf(transactions: readonly PastTransaction[]): Set<string> {
  const keys = new Set<string>([pastKey.anything]);
  for (const transaction of transactions) {
    for (const account of transactionParticipants(transaction)) keys.add(pastKey.account(account));
    for (const operation of transaction.operations) {
      for (const key of keysOfOperation(operation)) keys.add(key);
    }
  }
  return keys;
}

function* keysOfOperation(operation: PastOperation): Generator<string> {
  if (isPayment(operation)) {
    yield pastKey.payments;
    for (const account of operationParticipants(operation)) yield pastKey.paymentsOf(account);
  }
  for (const { account } of operationEffects(operation)) {
    const id = parseAccount(account);
    if (id !== undefined) yield pastKey.effectsOf(id);
  }
  for (const id of poolsOf(operation)) yield pastKey.pool(id);
  for (const id of claimableBalancesOf(operation)) yield pastKey.claimableBalance(id);
  for (const trade of tradesOf(operation)) yield* keysOfTrade(trade);
}

function* keysOfTrade({ base, counter }: Trade): Generator<string> {
  yield pastKey.trades;
  yield pastKey.tradesOfMarket(canonicalAsset(base.asset), canonicalAsset(counter.asset));
  for (const { asset, account, offerId } of [base, counter]) {
    yield pastKey.tradesOfAsset(canonicalAsset(asset));
    if (account !== undefined) yield pastKey.tradesOf(account);
    if (offerId !== undefined) yield pastKey.tradesOfOffer(offerId);
  }
}

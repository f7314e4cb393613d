import type { AccountIdString } from '../../state/index.ts';
import { operationEffects } from '../effects/operationEffects.ts';
import { parseAccount } from '../format/address.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import { hexText } from '../format/hex.ts';
import { dataOf, type HistoryOperation } from '../history/historyOperation.ts';
import type { HistoryTransaction } from '../history/historyTransaction.ts';
import { operationParticipants, transactionParticipants } from '../history/participants.ts';
import { type Trade, tradesOf } from '../history/trade.ts';

/** The keys by which history can be searched: each is a single text, so that the index is a single map. */
export const indexKey = {
  anything: 'anything',
  payments: 'payments',
  trades: 'trades',
  account: (account: AccountIdString) => `account ${account}`,
  paymentsOf: (account: AccountIdString) => `payments ${account}`,
  effectsOf: (account: AccountIdString) => `effects ${account}`,
  tradesOf: (account: AccountIdString) => `trades ${account}`,
  tradesOfOffer: (offerId: bigint) => `offer ${offerId}`,
  /** Takes both assets in the format of `canonicalAsset`, in either order. */
  tradesOfMarket: (base: string, counter: string) => `market ${[base, counter].sort().join(' ')}`,
  /** @param asset in the format of `canonicalAsset` */
  tradesOfAsset: (asset: string) => `asset ${asset}`,
  pool: (id: string) => `pool ${id}`,
  claimableBalance: (id: string) => `balance ${id}`,
};

/** Operations that Horizon treats as payments (`IsPayment`). */
export function isPayment({ body, assetEvents }: HistoryOperation): boolean {
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
export function poolsOf({ deltas }: HistoryOperation): string[] {
  return deltas.flatMap(({ before, after }) => {
    const pool = dataOf(after ?? before, 'liquidityPool')?.liquidityPool;
    return pool === undefined ? [] : [hexText(pool.liquidityPoolId.value)];
  });
}

/** The claimable balances that an operation touched, by Horizon's ids. */
export function claimableBalancesOf({ deltas }: HistoryOperation): string[] {
  return deltas.flatMap(({ before, after }) => {
    const balance = dataOf(after ?? before, 'claimableBalance')?.claimableBalance;
    return balance === undefined ? [] : [balanceIdText(balance.balanceId)];
  });
}

/** All keys for which a ledger with these transactions has to be read. */
export function keysOf(transactions: readonly HistoryTransaction[]): Set<string> {
  const keys = new Set<string>([indexKey.anything]);
  for (const transaction of transactions) {
    for (const account of transactionParticipants(transaction)) keys.add(indexKey.account(account));
    for (const operation of transaction.operations) {
      for (const key of keysOfOperation(operation)) keys.add(key);
    }
  }
  return keys;
}

function* keysOfOperation(operation: HistoryOperation): Generator<string> {
  if (isPayment(operation)) {
    yield indexKey.payments;
    for (const account of operationParticipants(operation)) yield indexKey.paymentsOf(account);
  }
  for (const { account } of operationEffects(operation)) {
    const id = parseAccount(account);
    if (id !== undefined) yield indexKey.effectsOf(id);
  }
  for (const id of poolsOf(operation)) yield indexKey.pool(id);
  for (const id of claimableBalancesOf(operation)) yield indexKey.claimableBalance(id);
  for (const trade of tradesOf(operation)) yield* keysOfTrade(trade);
}

function* keysOfTrade({ base, counter }: Trade): Generator<string> {
  yield indexKey.trades;
  yield indexKey.tradesOfMarket(canonicalAsset(base.asset), canonicalAsset(counter.asset));
  for (const { asset, account, offerId } of [base, counter]) {
    yield indexKey.tradesOfAsset(canonicalAsset(asset));
    if (account !== undefined) yield indexKey.tradesOf(account);
    if (offerId !== undefined) yield indexKey.tradesOfOffer(offerId);
  }
}

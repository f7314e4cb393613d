import { xdr } from '@stellar/stellar-sdk';
import {
  type AccountIdString,
  accountKeyId,
  claimableBalanceKeyId,
  type LedgerKeyId,
  liquidityPoolKeyId,
} from '../../state/index.ts';
import { publicKeyOf } from '../format/address.ts';
import type { HorizonView } from '../horizonView.ts';
import { HorizonProblem } from '../http/problem.ts';
import { indexKey } from './indexKeys.ts';

/**
 * Instead of an empty page, Horizon returns an error for something that never existed.
 * @throws HorizonProblem `not_found` for an account that does not exist and never did anything
 */
export function requireKnownAccount(view: HorizonView, account: AccountIdString): Promise<void> {
  return requireKnown(view, accountKeyId(publicKeyOf(account)), indexKey.account(account));
}

/** Like `requireKnownAccount`, for a pool. @param id hex */
export function requireKnownPool(view: HorizonView, id: string): Promise<void> {
  const key = liquidityPoolKeyId(new xdr.PoolId(Buffer.from(id, 'hex')));
  return requireKnown(view, key, indexKey.pool(id));
}

/** Like `requireKnownAccount`, for a claimable balance. @param id hex of its XDR */
export function requireKnownClaimableBalance(view: HorizonView, id: string): Promise<void> {
  const key = claimableBalanceKeyId(xdr.ClaimableBalanceId.fromXdr(id, 'hex'));
  return requireKnown(view, key, indexKey.claimableBalance(id));
}

/** @throws HorizonProblem `not_found` for assets that were never traded. @param assets in the format of `canonicalAsset` */
export async function requireTraded(view: HorizonView, assets: readonly string[]): Promise<void> {
  for (const asset of assets) await requireAny(view, indexKey.tradesOfAsset(asset));
}

async function requireKnown(view: HorizonView, entry: LedgerKeyId, key: string): Promise<void> {
  if (view.state.peek(entry) === undefined) await requireAny(view, key);
}

async function requireAny(view: HorizonView, key: string): Promise<void> {
  const { oldestSequence, latestSequence } = view.history;
  for await (const _ of view.ledgersOf(key)(oldestSequence, latestSequence, 'desc')) return;
  throw new HorizonProblem('not_found');
}

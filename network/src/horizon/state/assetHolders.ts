import { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, type LedgerKeyId, trustlineKeyId } from '../../state/index.ts';
import type { Order } from '../http/pageQuery.ts';
import { PrefixTree } from './prefixTree.ts';
import { ENTRY_TYPES, type StateFollower } from './stateIndexes.ts';

/** Offset of the account in a trustline's key; the asset follows it. */
const ACCOUNT_AT = 8;
const ASSET_AT = ACCOUNT_AT + 32;
const ANYBODY = xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32));

/** Indexes accounts by the asset or pool of their trustlines, from the keys alone, without decoding entries. */
export class AssetHolders implements StateFollower {
  readonly types = [ENTRY_TYPES.trustline];
  readonly #accounts = new PrefixTree<AccountIdString>();

  add(id: LedgerKeyId): void {
    this.#accounts.set(placeOf(id), accountOf(id));
  }

  remove(id: LedgerKeyId): void {
    this.#accounts.delete(placeOf(id));
  }

  walk(
    asset: xdr.TrustLineAsset,
    order: Order,
    behind?: AccountIdString,
  ): Iterable<AccountIdString> {
    const prefix = trustlineKeyId(ANYBODY, asset).slice(ASSET_AT);
    return this.#accounts.walk(prefix, order, behind);
  }
}

function placeOf(id: LedgerKeyId): string {
  return id.slice(ASSET_AT) + accountOf(id);
}

function accountOf(id: LedgerKeyId): AccountIdString {
  return id.slice(ACCOUNT_AT, ASSET_AT) as AccountIdString;
}

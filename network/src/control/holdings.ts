import { xdr } from '@stellar/stellar-sdk';
import { accountKeyId, type LedgerTxn, newAccount } from '../state/index.ts';
import {
  accountBuyingLiabilities,
  accountSellingLiabilities,
  isIssuer,
  peekAccount,
  peekTrustlineEntry,
  TRUSTLINE_FLAGS,
  trustLineAssetOf,
  trustlineLiabilities,
  updateAccount,
  updateTrustline,
} from '../transaction/balances/index.ts';
import { invalid } from './controlParams.ts';
import { putEntry } from './putEntry.ts';

const INT64_MAX = 2n ** 63n - 1n;
const UINT32_MAX = 0xffffffff;
const PROMISED = 'amount is less than the account has committed to its offers';
const TOO_MUCH = 'amount is more than the account can hold in addition to what its offers buy';

/** Sets an account's balance in stroops. An account that does not exist is created as CreateAccount would create it. */
export function holdNative(
  ltx: LedgerTxn,
  networkId: Uint8Array,
  accountId: xdr.PublicKey,
  balance: bigint,
): void {
  const entry = ltx.peek(accountKeyId(accountId));
  if (entry?.data.type !== 'account') {
    const account = newAccount(accountId, balance, ltx.header.ledgerSeq);
    putEntry(ltx, networkId, entryOf(ltx, xdr.LedgerEntryData.account(account)));
    return;
  }
  const { account } = entry.data;
  if (balance < accountSellingLiabilities(account)) throw invalid(PROMISED);
  if (balance > INT64_MAX - accountBuyingLiabilities(account)) throw invalid(TOO_MUCH);
  const data = xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...account, balance }));
  putEntry(ltx, networkId, new xdr.LedgerEntry({ ...entry, data }));
}

/** Sets an account's balance of an asset, opening a trustline or raising its limit if needed. */
export function holdCredit(
  ltx: LedgerTxn,
  networkId: Uint8Array,
  accountId: xdr.PublicKey,
  asset: xdr.Asset,
  balance: bigint,
): void {
  if (isIssuer(accountId, asset)) throw invalid('an issuer cannot hold its own asset');
  const account = peekAccount(ltx, accountId);
  if (account === undefined)
    throw invalid('the account does not exist; set its native balance first');
  const lineAsset = trustLineAssetOf(asset);
  const known = peekTrustlineEntry(ltx, accountId, lineAsset);
  if (known === undefined) {
    const { numSubEntries } = account;
    if (numSubEntries === UINT32_MAX)
      throw invalid('the account has as many entries as it can count');
    updateAccount(ltx, new xdr.AccountEntry({ ...account, numSubEntries: numSubEntries + 1 }));
    const line = new xdr.TrustLineEntry({
      ...{ accountId, asset: lineAsset, balance, limit: INT64_MAX },
      flags: TRUSTLINE_FLAGS.authorized,
      ext: xdr.TrustLineEntryExt.v0(),
    });
    putEntry(ltx, networkId, entryOf(ltx, xdr.LedgerEntryData.trustline(line)));
    return;
  }
  const { buying, selling } = trustlineLiabilities(known);
  if (balance < selling) throw invalid(PROMISED);
  if (balance > INT64_MAX - buying) throw invalid(TOO_MUCH);
  const limit = balance + buying > known.limit ? INT64_MAX : known.limit;
  updateTrustline(ltx, new xdr.TrustLineEntry({ ...known, balance, limit }));
}

function entryOf(ltx: LedgerTxn, data: xdr.LedgerEntryData): xdr.LedgerEntry {
  const { ledgerSeq: lastModifiedLedgerSeq } = ltx.header;
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq, data, ext: xdr.LedgerEntryExt.v0() });
}

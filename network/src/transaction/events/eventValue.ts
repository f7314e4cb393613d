import { xdr } from '@stellar/stellar-sdk';

const AMOUNT = xdr.ScVal.scvSymbol('amount');
const TO_MUXED_ID = xdr.ScVal.scvSymbol('to_muxed_id');

/** An amount in stroops (or the asset's smallest unit) as `i128`, for token events. */
export function amountValue(amount: bigint): xdr.ScVal {
  return xdr.ScVal.scvI128(
    new xdr.Int128Parts({ hi: amount < 0n ? -1n : 0n, lo: BigInt.asUintN(64, amount) }),
  );
}

/**
 * The data of an event whose value goes to `to`: the amount alone, or a map that also has the multiplexing id of the
 * destination or, if there is none, the memo of the transaction (CAP-67; stellar-core `getPossibleMuxedData`). A memo counts
 * only for accounts.
 */
export function amountTo(to: xdr.ScAddress, amount: bigint, memo: xdr.Memo): xdr.ScVal {
  const id = muxedId(to, memo);
  if (id === undefined) return amountValue(amount);
  return xdr.ScVal.scvMap([
    new xdr.ScMapEntry({ key: AMOUNT, val: amountValue(amount) }),
    new xdr.ScMapEntry({ key: TO_MUXED_ID, val: id }),
  ]);
}

function muxedId(to: xdr.ScAddress, memo: xdr.Memo): xdr.ScVal | undefined {
  if (to.type === 'scAddressTypeMuxedAccount') return xdr.ScVal.scvU64(to.muxedAccount.id);
  return to.type === 'scAddressTypeAccount' ? memoValue(memo) : undefined;
}

function memoValue(memo: xdr.Memo): xdr.ScVal | undefined {
  switch (memo.type) {
    case 'memoNone':
      return undefined;
    case 'memoText':
      return xdr.ScVal.scvString(memo.text);
    case 'memoId':
      return xdr.ScVal.scvU64(memo.id);
    case 'memoHash':
      return xdr.ScVal.scvBytes(memo.hash.value);
    case 'memoReturn':
      return xdr.ScVal.scvBytes(memo.retHash.value);
  }
}

import * as xdr from '@stellar/stellar-sdk/xdr';
import { isAccountAddress, type StellarAddress } from '../../../../protocol/index.ts';
import { addressBytes, toScAddress } from '../../../../protocol/stellar/index.ts';

/** The ledger's record that an address used a nonce (CAP-46-11). */
export function nonceKey(address: StellarAddress, nonce: bigint): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: toScAddress(address),
      key: xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })),
      durability: xdr.ContractDataDurability.temporary,
    }),
  );
}

/** Discriminants of contract data, and of an address that is an account's or a contract's. */
const OF_ACCOUNT = Buffer.from([0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0]);
const OF_CONTRACT = Buffer.from([0, 0, 0, 6, 0, 0, 0, 1]);
/** Discriminant of a nonce's key. */
const NONCE = Buffer.from([0, 0, 0, 21]);

/** Returns `nonceKey` as base64 XDR. */
export function encodedNonceKey(address: StellarAddress, nonce: bigint): string {
  // The nonce, and the discriminant of a temporary entry.
  const rest = Buffer.alloc(8 + 4);
  rest.writeBigInt64BE(nonce);
  const of = isAccountAddress(address) ? OF_ACCOUNT : OF_CONTRACT;
  return Buffer.concat([of, addressBytes(address), NONCE, rest]).toString('base64');
}

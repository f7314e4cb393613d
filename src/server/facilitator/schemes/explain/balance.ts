import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type ContractAddress,
  isAccountAddress,
  type StellarAddress,
} from '../../../../protocol/index.ts';
import { addressBytes, readI128, toScAddress } from '../../../../protocol/stellar/index.ts';
import { field, type StellarAsset } from './stellarAsset.ts';

/**
 * Returns the ledger key of an address's balance of the asset: an account's trustline (or, for XLM, the
 * account itself), or a contract's `Balance` in the asset's contract.
 */
export function balanceKey(
  holder: StellarAddress,
  contract: ContractAddress,
  asset: StellarAsset | undefined,
): xdr.LedgerKey {
  if (isAccountAddress(holder)) {
    const accountId = xdr.PublicKey.publicKeyTypeEd25519(addressBytes(holder));
    return asset?.trustline === undefined
      ? xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }))
      : xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset: asset.trustline }));
  }
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: toScAddress(contract),
      key: xdr.ScVal.scvVec([
        xdr.ScVal.scvSymbol('Balance'),
        xdr.ScVal.scvAddress(toScAddress(holder)),
      ]),
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
}

/** Returns the balance in an entry found under `balanceKey`; `undefined` if there is no entry. */
export function balanceIn(entry: xdr.LedgerEntryData | undefined): bigint | undefined {
  switch (entry?.type) {
    case undefined:
      return 0n;
    case 'account':
      return entry.account.balance;
    case 'trustline':
      return entry.trustLine.balance;
    case 'contractData': {
      const amount = field(entry.contractData.val, 'amount');
      return amount === undefined ? undefined : readI128(amount);
    }
    default:
      return undefined;
  }
}

import { xdr } from '@stellar/stellar-sdk';
import { isNative } from '../transaction/balances/index.ts';
import { assetContractId } from '../transaction/events/index.ts';
import { balanceOfContract } from './contractBalance.ts';

/** Stroops of XLM that an entry holds. All entries and the fee pool add up to the header's `totalCoins`. */
export function nativeCoins(networkId: Uint8Array, entry: xdr.LedgerEntry | undefined): bigint {
  switch (entry?.data.type) {
    case 'account':
      return entry.data.account.balance;
    case 'claimableBalance': {
      const { asset, amount } = entry.data.claimableBalance;
      return isNative(asset) ? amount : 0n;
    }
    case 'liquidityPool': {
      const { params, reserveA } = entry.data.liquidityPool.body.constantProduct;
      // XLM sorts before every other asset.
      return isNative(params.assetA) ? reserveA : 0n;
    }
    case 'contractData': {
      const { contractData } = entry.data;
      const native = assetContractId(networkId, xdr.Asset.assetTypeNative());
      return balanceOfContract(contractData, native) ?? 0n;
    }
    default:
      return 0n;
  }
}

import { xdr } from '@stellar/stellar-sdk';

/*
 * A contract's balance of a Stellar asset is an entry of the asset's contract
 * (soroban-env-host `builtin_contracts/stellar_asset_contract/balance.rs`).
 */

const symbol = (text: string): xdr.ScVal => xdr.ScVal.scvSymbol(text);
const field = (name: string, val: xdr.ScVal): xdr.ScMapEntry =>
  new xdr.ScMapEntry({ key: symbol(name), val });

/** Returns the ledger key of another contract's balance in the asset's contract. */
export function contractBalanceKey(asset: xdr.ContractId, holder: xdr.ScAddress): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: xdr.ScAddress.scAddressTypeContract(asset),
      key: xdr.ScVal.scvVec([symbol('Balance'), xdr.ScVal.scvAddress(holder)]),
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
}

/** An authorized balance that cannot be clawed back. */
export function contractBalanceEntry(
  asset: xdr.ContractId,
  holder: xdr.ScAddress,
  amount: bigint,
): xdr.ContractDataEntry {
  return new xdr.ContractDataEntry({
    ext: xdr.ExtensionPoint.v0(),
    contract: xdr.ScAddress.scAddressTypeContract(asset),
    key: xdr.ScVal.scvVec([symbol('Balance'), xdr.ScVal.scvAddress(holder)]),
    durability: xdr.ContractDataDurability.persistent,
    val: xdr.ScVal.scvMap([
      field('amount', int128(amount)),
      field('authorized', xdr.ScVal.scvBool(true)),
      field('clawback', xdr.ScVal.scvBool(false)),
    ]),
  });
}

/** The amount in an entry of this asset's contract; `undefined` if the entry is not a balance of the asset. */
export function balanceOfContract(
  { contract, key, val }: xdr.ContractDataEntry,
  asset: xdr.ContractId,
): bigint | undefined {
  if (contract.type !== 'scAddressTypeContract') return undefined;
  if (Buffer.compare(contract.contractId.value, asset.value) !== 0) return undefined;
  const [name] = key.type === 'scvVec' ? (key.vec ?? []) : [];
  if (name?.type !== 'scvSymbol' || name.sym.toString() !== 'Balance') return undefined;
  const fields = val.type === 'scvMap' ? (val.map ?? []) : [];
  const amount = fields.find(
    ({ key }) => key.type === 'scvSymbol' && key.sym.toString() === 'amount',
  );
  if (amount?.val.type !== 'scvI128') return undefined;
  const { hi, lo } = amount.val.i128;
  return (hi << 64n) + lo;
}

function int128(amount: bigint): xdr.ScVal {
  const parts = new xdr.Int128Parts({ hi: amount >> 64n, lo: amount & (2n ** 64n - 1n) });
  return xdr.ScVal.scvI128(parts);
}

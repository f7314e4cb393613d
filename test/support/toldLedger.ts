import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type ContractAddress,
  isAccountAddress,
  type StellarAddress,
} from '../../src/protocol/index.ts';
import { addressBytes, toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { connectNetwork, type StellarNetwork } from '../../src/server/network/index.ts';
import { contractEvent } from './events.ts';
import { resources } from './resources.ts';
import { startScriptedRpc } from './scriptedRpc.ts';
import { testClock } from './testClock.ts';

/** A ledger entry under its key. */
export type Entry = readonly [xdr.LedgerKey, xdr.LedgerEntryData];

/** What an RPC server answers: one answer to each simulation, the last one again, and entries. */
export interface Told {
  readonly simulations?: readonly object[];
  readonly entries?: readonly Entry[];
}

/** A network whose server answers exactly this. */
export async function toldLedger({
  simulations = [],
  entries = [],
}: Told): Promise<{ readonly network: StellarNetwork; close(): Promise<void> }> {
  const found = new Map(entries.map(([key, data]) => [key.toXdr('base64'), data.toXdr('base64')]));
  const left = [...simulations];
  const rpc = await startScriptedRpc((method, params) => {
    if (method === 'simulateTransaction') {
      const result = left.length > 1 ? left.shift() : left[0];
      return result === undefined ? 'reset' : { result };
    }
    if (method !== 'getLedgerEntries') return { error: { code: -32_601, message: method } };
    const keys = (params['keys'] as string[]).filter((key) => found.has(key));
    const told = keys.map((key) => ({ key, xdr: found.get(key) }));
    return { result: { latestLedger: 1_000, entries: told } };
  });
  const network = connectNetwork({ url: rpc.url, certificateAuthority: null }, testClock());
  return {
    network,
    close: async () => {
      network.close();
      await rpc.close();
    },
  };
}

/** A simulation that succeeded at ledger 1,000, by default that of the usual payment. */
export function success(
  parts: {
    readonly latestLedger?: number;
    readonly minResourceFee?: bigint;
    readonly events?: readonly xdr.DiagnosticEvent[];
    readonly returned?: xdr.ScVal;
    /** Fee in the transaction data, if it differs from the one in the answer. */
    readonly resourceFee?: bigint;
  } = {},
): object {
  const fee = parts.minResourceFee ?? 60_000n;
  return {
    latestLedger: parts.latestLedger ?? 1_000,
    minResourceFee: `${fee}`,
    transactionData: resources(parts.resourceFee ?? fee).toXdr('base64'),
    events: (parts.events ?? [contractEvent()]).map((event) => event.toXdr('base64')),
    results: [{ auth: [], xdr: (parts.returned ?? xdr.ScVal.scvVoid()).toXdr('base64') }],
  };
}

/** A simulation that failed at ledger 1,000, with the host's words. */
export function failure(error: string, latestLedger = 1_000): object {
  return { latestLedger, error };
}

function contractData(contract: ContractAddress, key: xdr.ScVal, val: xdr.ScVal): Entry {
  const address = toScAddress(contract);
  const durability = xdr.ContractDataDurability.persistent;
  return [
    xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({ contract: address, key, durability }),
    ),
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: address,
        key,
        durability,
        val,
      }),
    ),
  ];
}

const symbol = (name: string) => xdr.ScVal.scvSymbol(name);
const member = (key: xdr.ScVal, val: xdr.ScVal) => new xdr.ScMapEntry({ key, val });

function instance(
  contract: ContractAddress,
  executable: xdr.ContractExecutable,
  storage: xdr.ScMapEntry[] | null,
): Entry {
  return contractData(
    contract,
    xdr.ScVal.scvLedgerKeyContractInstance(),
    xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage })),
  );
}

/** The contract of a Stellar asset: a code and its issuer, or XLM. */
export function assetContract(
  contract: ContractAddress,
  asset: { readonly code: string; readonly issuer: StellarAddress } | 'native',
): Entry {
  const info =
    asset === 'native'
      ? [symbol('Native')]
      : [
          symbol(asset.code.length > 4 ? 'AlphaNum12' : 'AlphaNum4'),
          xdr.ScVal.scvMap([
            member(symbol('asset_code'), xdr.ScVal.scvString(asset.code)),
            member(symbol('issuer'), xdr.ScVal.scvBytes(addressBytes(asset.issuer))),
          ]),
        ];
  return instance(contract, xdr.ContractExecutable.contractExecutableStellarAsset(), [
    member(xdr.ScVal.scvVec([symbol('Admin')]), xdr.ScVal.scvVoid()),
    member(xdr.ScVal.scvVec([symbol('AssetInfo')]), xdr.ScVal.scvVec(info)),
  ]);
}

/** A token that is not a Stellar asset. */
export function ownToken(contract: ContractAddress): Entry {
  const hash = new xdr.Hash(new Uint8Array(32).fill(1));
  return instance(contract, xdr.ContractExecutable.contractExecutableWasm(hash), null);
}

/** What an account holds of an issued asset: its trustline. */
export function trustline(
  holder: StellarAddress,
  asset: { readonly code: string; readonly issuer: StellarAddress },
  balance: bigint,
): Entry {
  const accountId = account(holder);
  const letters = Buffer.alloc(asset.code.length > 4 ? 12 : 4);
  letters.write(asset.code);
  const parts = { assetCode: letters, issuer: account(asset.issuer) };
  const line =
    letters.length === 4
      ? xdr.TrustLineAsset.assetTypeCreditAlphanum4(new xdr.AlphaNum4(parts))
      : xdr.TrustLineAsset.assetTypeCreditAlphanum12(new xdr.AlphaNum12(parts));
  return [
    xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset: line })),
    xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({
        accountId,
        asset: line,
        balance,
        limit: 2n ** 63n - 1n,
        flags: 1,
        ext: xdr.TrustLineEntryExt.v0(),
      }),
    ),
  ];
}

/** An account with its XLM. */
export function accountWith(holder: StellarAddress, balance: bigint): Entry {
  const accountId = account(holder);
  return [
    xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })),
    xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        accountId,
        balance,
        seqNum: 1n,
        numSubEntries: 0,
        inflationDest: null,
        flags: 0,
        homeDomain: '',
        thresholds: new Uint8Array([1, 0, 0, 0]),
        signers: [],
        ext: xdr.AccountEntryExt.v0(),
      }),
    ),
  ];
}

/** What a contract holds of an asset: its balance in the asset's contract. */
export function contractBalance(
  asset: ContractAddress,
  holder: StellarAddress,
  amount: bigint,
): Entry {
  return contractData(
    asset,
    xdr.ScVal.scvVec([symbol('Balance'), xdr.ScVal.scvAddress(toScAddress(holder))]),
    xdr.ScVal.scvMap([member(symbol('amount'), toI128(amount))]),
  );
}

/** The record that an address used a nonce. */
export function usedNonce(address: StellarAddress, nonce: bigint): Entry {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }));
  const contract = toScAddress(address);
  const durability = xdr.ContractDataDurability.temporary;
  const ext = xdr.ExtensionPoint.v0();
  const val = xdr.ScVal.scvVoid();
  return [
    xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability })),
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({ ext, contract, key, durability, val }),
    ),
  ];
}

function account(address: StellarAddress): xdr.PublicKey {
  if (!isAccountAddress(address)) throw new TypeError(`${address} is not an account`);
  return xdr.PublicKey.publicKeyTypeEd25519(addressBytes(address));
}

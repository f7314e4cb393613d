import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { assetContractEntry } from '../../src/genesis/assetContractEntry.ts';
import type { LocalKey } from '../../src/genesis/index.ts';
import { testContract } from './testContract.ts';
import { NETWORK_ID, type TestNetwork } from './testNetwork.ts';

const NO_EXT = xdr.ExtensionPoint.v0();
const CONTRACT = new xdr.ContractId(new Uint8Array(32).fill(0xc0));
const INSTANCE = xdr.ScVal.scvLedgerKeyContractInstance();

/** What a Soroban transaction declares. */
export interface Declared {
  readonly readOnly?: readonly xdr.LedgerKey[];
  readonly readWrite?: readonly xdr.LedgerKey[];
  /** Positions of archived entries in the read-write footprint. */
  readonly restore?: readonly number[];
  readonly instructions?: number;
  readonly bytes?: number;
  readonly resourceFee?: bigint;
}

/** Resources with room to spare, and a fee for them. */
export function sorobanData(declared: Declared): xdr.SorobanTransactionData {
  const { readOnly = [], readWrite = [], restore = [], bytes = 10_000 } = declared;
  return new xdr.SorobanTransactionData({
    ext:
      restore.length === 0
        ? xdr.SorobanTransactionDataExt.v0()
        : xdr.SorobanTransactionDataExt.resourceExt(
            new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [...restore] }),
          ),
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({ readOnly: [...readOnly], readWrite: [...readWrite] }),
      instructions: declared.instructions ?? 5_000_000,
      diskReadBytes: bytes,
      writeBytes: bytes,
    }),
    resourceFee: declared.resourceFee ?? 50_000_000n,
  });
}

/** A signed transaction of one Soroban operation. */
export function soroban(
  network: TestNetwork,
  source: LocalKey,
  body: xdr.OperationBody,
  declared: Declared,
): xdr.TransactionEnvelope {
  const data = sorobanData(declared);
  return network.signed({
    source,
    operations: [body],
    sorobanData: data,
    fee: data.resourceFee + 100n,
  });
}

/** A call of a contract, authorized by the source of the transaction where asked. */
export function invoke(
  contract: xdr.ContractId,
  functionName: string,
  args: xdr.ScVal[] = [],
  authorized = false,
): xdr.OperationBody {
  const call = new xdr.InvokeContractArgs({
    contractAddress: xdr.ScAddress.scAddressTypeContract(contract),
    functionName,
    args,
  });
  const authorization = new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
      subInvocations: [],
    }),
  });
  return xdr.OperationBody.invokeHostFunction(
    new xdr.InvokeHostFunctionOp({
      hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(call),
      auth: authorized ? [authorization] : [],
    }),
  );
}

export function extend(extendTo: number): xdr.OperationBody {
  return xdr.OperationBody.extendFootprintTtl(
    new xdr.ExtendFootprintTtlOp({ ext: NO_EXT, extendTo }),
  );
}

export function restore(): xdr.OperationBody {
  return xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext: NO_EXT }));
}

/** The test contract, put into the ledger without a transaction. */
export interface PutContract {
  readonly id: xdr.ContractId;
  readonly instance: xdr.LedgerKey;
  readonly code: xdr.LedgerKey;
}

/** Puts the test contract of the host's own tests; both its entries live until the same ledger. */
export function putTestContract(
  network: TestNetwork,
  protocol: number,
  liveUntil: number,
  code = testContract(protocol),
): PutContract {
  const hash = createHash('sha256').update(code).digest();
  network.putContract(
    xdr.LedgerEntryData.contractCode(
      new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash, code }),
    ),
    liveUntil,
  );
  const executable = xdr.ContractExecutable.contractExecutableWasm(hash);
  network.putContract(
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: NO_EXT,
        contract: xdr.ScAddress.scAddressTypeContract(CONTRACT),
        key: INSTANCE,
        durability: xdr.ContractDataDurability.persistent,
        val: xdr.ScVal.scvContractInstance(
          new xdr.ScContractInstance({ executable, storage: null }),
        ),
      }),
    ),
    liveUntil,
  );
  return {
    id: CONTRACT,
    instance: instanceKey(CONTRACT),
    code: xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash })),
  };
}

/** Puts the contract of the native asset. */
export function putNativeContract(network: TestNetwork, liveUntil: number): xdr.ContractId {
  const entry = assetContractEntry(NETWORK_ID, xdr.Asset.assetTypeNative());
  network.putContract(xdr.LedgerEntryData.contractData(entry), liveUntil);
  const { contract } = entry;
  if (contract.type !== 'scAddressTypeContract') throw new TypeError('a contract has an id');
  return contract.contractId;
}

export function instanceKey(contract: xdr.ContractId): xdr.LedgerKey {
  return dataKey(contract, INSTANCE, xdr.ContractDataDurability.persistent);
}

export function dataKey(
  contract: xdr.ContractId,
  key: xdr.ScVal,
  durability: xdr.ContractDataDurability,
): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: xdr.ScAddress.scAddressTypeContract(contract),
      key,
      durability,
    }),
  );
}

/** An entry of the test contract, persistent or temporary, with a number in it. */
export function putData(
  network: TestNetwork,
  name: string,
  durability: xdr.ContractDataDurability,
  liveUntil: number,
): xdr.LedgerKey {
  const key = xdr.ScVal.scvSymbol(name);
  network.putContract(
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: NO_EXT,
        contract: xdr.ScAddress.scAddressTypeContract(CONTRACT),
        key,
        durability,
        val: xdr.ScVal.scvU32(7),
      }),
    ),
    liveUntil,
  );
  return dataKey(CONTRACT, key, durability);
}

export function addressOf(key: LocalKey): xdr.ScVal {
  return xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeAccount(key.publicKey));
}

export function accountKey(key: LocalKey): xdr.LedgerKey {
  return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key.publicKey }));
}

export function amount(stroops: bigint): xdr.ScVal {
  return xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: stroops }));
}

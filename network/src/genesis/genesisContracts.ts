import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../xdr/index.ts';

/**
 * The project's contracts with which a network begins, and the costs that the host computes from their modules on upload,
 * because each call is charged for them (CAP-54). A test compares them with those of an upload.
 */
const CODE_COSTS = {
  upto: {
    nInstructions: 2_537,
    nFunctions: 25,
    nGlobals: 4,
    nTableEntries: 0,
    nTypes: 14,
    nDataSegments: 1,
    nElemSegments: 0,
    nImports: 21,
    nExports: 6,
    nDataSegmentBytes: 81,
  },
} as const;

export type GenesisContractName = keyof typeof CODE_COSTS;

/** WebAssembly modules of the contracts with which a network begins. */
export type GenesisModules = Readonly<Partial<Record<GenesisContractName, Uint8Array>>>;

/** The names of all these contracts; each module is `<name>.wasm`. */
export const GENESIS_CONTRACTS = Object.keys(CODE_COSTS) as GenesisContractName[];

/**
 * The id of a genesis contract, as if the root account had deployed it. It follows from the passphrase, so it is the same on
 * every network with that passphrase.
 */
export function genesisContractId(
  networkId: Uint8Array,
  root: xdr.PublicKey,
  name: GenesisContractName,
): xdr.ContractId {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId,
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({
          address: xdr.ScAddress.scAddressTypeAccount(root),
          salt: createHash('sha256').update(`svc-x402 ${name}`).digest(),
        }),
      ),
    }),
  );
  return new xdr.ContractId(createHash('sha256').update(encodeXdr(preimage)).digest());
}

/** The key of a contract's instance. */
export function instanceKey(id: xdr.ContractId): xdr.LedgerKey {
  const { contract, key, durability } = instanceEntry(id, new Uint8Array(32));
  return xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability }));
}

/** The entries that upload and deployment would create: the code, and an instance without storage. */
export function genesisContractEntries(
  networkId: Uint8Array,
  root: xdr.PublicKey,
  modules: GenesisModules,
): xdr.LedgerEntryData[] {
  return GENESIS_CONTRACTS.flatMap((name) => {
    const code = modules[name];
    if (code === undefined) return [];
    const hash = createHash('sha256').update(code).digest();
    const costInputs = new xdr.ContractCodeCostInputs({
      ext: xdr.ExtensionPoint.v0(),
      ...CODE_COSTS[name],
    });
    const ext = xdr.ContractCodeEntryExt.v1(
      new xdr.ContractCodeEntryV1({ ext: xdr.ExtensionPoint.v0(), costInputs }),
    );
    return [
      xdr.LedgerEntryData.contractCode(new xdr.ContractCodeEntry({ ext, hash, code })),
      xdr.LedgerEntryData.contractData(
        instanceEntry(genesisContractId(networkId, root, name), hash),
      ),
    ];
  });
}

function instanceEntry(id: xdr.ContractId, codeHash: Uint8Array): xdr.ContractDataEntry {
  return new xdr.ContractDataEntry({
    ext: xdr.ExtensionPoint.v0(),
    contract: xdr.ScAddress.scAddressTypeContract(id),
    key: xdr.ScVal.scvLedgerKeyContractInstance(),
    durability: xdr.ContractDataDurability.persistent,
    val: xdr.ScVal.scvContractInstance(
      new xdr.ScContractInstance({
        executable: xdr.ContractExecutable.contractExecutableWasm(codeHash),
        storage: null,
      }),
    ),
  });
}

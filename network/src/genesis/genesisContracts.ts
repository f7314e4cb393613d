import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../xdr/index.ts';

/**
 * The modules of the project's contracts with which a network begins, and the costs that the host computes from their modules on upload,
 * because each call is charged for them (CAP-54). A test compares them with those of an upload.
 */
const CODE_COSTS = {
  channel: {
    nInstructions: 3_571,
    nFunctions: 62,
    nGlobals: 1,
    nTableEntries: 0,
    nTypes: 18,
    nDataSegments: 1,
    nElemSegments: 0,
    nImports: 21,
    nExports: 17,
    nDataSegmentBytes: 431,
  },
  'channel-opener': {
    nInstructions: 2_165,
    nFunctions: 19,
    nGlobals: 1,
    nTableEntries: 0,
    nTypes: 11,
    nDataSegments: 1,
    nElemSegments: 0,
    nImports: 21,
    nExports: 4,
    nDataSegmentBytes: 145,
  },
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

export type GenesisModuleName = keyof typeof CODE_COSTS;

/** WebAssembly modules with which a network begins. */
export type GenesisModules = Readonly<Partial<Record<GenesisModuleName, Uint8Array>>>;

/** The names of all these modules; each is `<name>.wasm`. */
export const GENESIS_MODULES = Object.keys(CODE_COSTS) as GenesisModuleName[];

/** The contracts with which a network begins. The other modules are only uploaded: a contract deploys them, or anyone. */
export const GENESIS_CONTRACTS = ['channel-opener', 'upto'] as const satisfies GenesisModuleName[];

export type GenesisContractName = (typeof GENESIS_CONTRACTS)[number];

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

/** The entries that upload and deployment would create: the code, and for contracts an instance without storage. */
export function genesisContractEntries(
  networkId: Uint8Array,
  root: xdr.PublicKey,
  modules: GenesisModules,
): xdr.LedgerEntryData[] {
  return GENESIS_MODULES.flatMap((name) => {
    const code = modules[name];
    if (code === undefined) return [];
    const contract = GENESIS_CONTRACTS.find((each) => each === name);
    const hash = createHash('sha256').update(code).digest();
    const costInputs = new xdr.ContractCodeCostInputs({
      ext: xdr.ExtensionPoint.v0(),
      ...CODE_COSTS[name],
    });
    const ext = xdr.ContractCodeEntryExt.v1(
      new xdr.ContractCodeEntryV1({ ext: xdr.ExtensionPoint.v0(), costInputs }),
    );
    const uploaded = xdr.LedgerEntryData.contractCode(
      new xdr.ContractCodeEntry({ ext, hash, code }),
    );
    if (contract === undefined) return [uploaded];
    const deployed = instanceEntry(genesisContractId(networkId, root, contract), hash);
    return [uploaded, xdr.LedgerEntryData.contractData(deployed)];
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

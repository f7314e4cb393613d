import { xdr } from '@stellar/stellar-sdk';

/** The values that differ between networks; all others are the same everywhere. Fees are in stroops. */
export interface SettingValues {
  readonly maxContractSize: number;
  readonly maxKeySize: number;
  readonly maxDataEntrySize: number;
  readonly compute: Fields<xdr.ConfigSettingContractComputeV0>;
  readonly ledgerCost: Fields<xdr.ConfigSettingContractLedgerCostV0>;
  readonly ledgerCostExt: Fields<xdr.ConfigSettingContractLedgerCostExtV0>;
  readonly feeHistorical1Kb: bigint;
  readonly events: Fields<xdr.ConfigSettingContractEventsV0>;
  readonly bandwidth: Fields<xdr.ConfigSettingContractBandwidthV0>;
  readonly ledgerMaxTxCount: number;
  readonly ledgerMaxDependentTxClusters: number;
  readonly archival: Fields<xdr.StateArchivalSettings>;
}

/** The data fields of an XDR structure. */
type Fields<T> = Pick<T, { [K in keyof T]: T[K] extends number | bigint ? K : never }[keyof T]>;

const NO_EXT = xdr.ExtensionPoint.v0();

/** Creates all settings of a network, with no frozen keys and an empty state. */
export function settingsWith(values: SettingValues): xdr.ConfigSettingEntry[] {
  const S = xdr.ConfigSettingEntry;
  const windowSize = values.archival.liveSorobanStateSizeWindowSampleSize;
  return [
    S.configSettingContractMaxSizeBytes(values.maxContractSize),
    S.configSettingContractComputeV0(new xdr.ConfigSettingContractComputeV0(values.compute)),
    S.configSettingContractLedgerCostV0(
      new xdr.ConfigSettingContractLedgerCostV0(values.ledgerCost),
    ),
    S.configSettingContractHistoricalDataV0(
      new xdr.ConfigSettingContractHistoricalDataV0({ feeHistorical1Kb: values.feeHistorical1Kb }),
    ),
    S.configSettingContractEventsV0(new xdr.ConfigSettingContractEventsV0(values.events)),
    S.configSettingContractBandwidthV0(new xdr.ConfigSettingContractBandwidthV0(values.bandwidth)),
    S.configSettingContractCostParamsCpuInstructions(
      COST_PARAMETERS.map(([, constant, linear]) => costEntry(constant, linear)),
    ),
    S.configSettingContractCostParamsMemoryBytes(
      COST_PARAMETERS.map(([, , , constant, linear]) => costEntry(constant, linear)),
    ),
    S.configSettingContractDataKeySizeBytes(values.maxKeySize),
    S.configSettingContractDataEntrySizeBytes(values.maxDataEntrySize),
    S.configSettingStateArchival(new xdr.StateArchivalSettings(values.archival)),
    S.configSettingContractExecutionLanes(
      new xdr.ConfigSettingContractExecutionLanesV0({ ledgerMaxTxCount: values.ledgerMaxTxCount }),
    ),
    S.configSettingLiveSorobanStateSizeWindow(new Array<bigint>(windowSize).fill(0n)),
    S.configSettingEvictionIterator(
      new xdr.EvictionIterator({
        bucketListLevel: values.archival.startingEvictionScanLevel,
        isCurrBucket: true,
        bucketFileOffset: 0n,
      }),
    ),
    S.configSettingContractParallelComputeV0(
      new xdr.ConfigSettingContractParallelComputeV0({
        ledgerMaxDependentTxClusters: values.ledgerMaxDependentTxClusters,
      }),
    ),
    S.configSettingContractLedgerCostExtV0(
      new xdr.ConfigSettingContractLedgerCostExtV0(values.ledgerCostExt),
    ),
    S.configSettingScpTiming(
      new xdr.ConfigSettingScpTiming({
        ledgerTargetCloseTimeMilliseconds: 5_000,
        nominationTimeoutInitialMilliseconds: 1_000,
        nominationTimeoutIncrementMilliseconds: 1_000,
        ballotTimeoutInitialMilliseconds: 1_000,
        ballotTimeoutIncrementMilliseconds: 1_000,
      }),
    ),
    S.configSettingFrozenLedgerKeys(new xdr.FrozenLedgerKeys({ keys: [] })),
    S.configSettingFreezeBypassTxs(new xdr.FreezeBypassTxs({ txHashes: [] })),
  ];
}

function costEntry(constant: number, linear: number): xdr.ContractCostParamEntry {
  return new xdr.ContractCostParamEntry({
    ext: NO_EXT,
    constTerm: BigInt(constant),
    linearTerm: BigInt(linear),
  });
}

/**
 * The cost of each kind of work in the host, as of protocol 26: CPU instructions and bytes of memory, each as a constant and a
 * linear part (in 1/128 per unit of input).
 *
 * From stellar-core `ledger/NetworkConfig.cpp` (initial values and every recalibration up to protocol 26); testnet's are the
 * same (`soroban-settings/testnet_settings_upgrade.json`). In the order of `ContractCostType`.
 */
const COST_PARAMETERS: readonly CostParameter[] = [
  ['wasmInsnExec', 4, 0, 0, 0],
  ['memAlloc', 434, 16, 16, 128],
  ['memCpy', 42, 16, 0, 0],
  ['memCmp', 44, 16, 0, 0],
  ['dispatchHostFunction', 295, 0, 0, 0],
  ['visitObject', 60, 0, 0, 0],
  ['valSer', 221, 26, 242, 384],
  ['valDeser', 331, 4_369, 0, 384],
  ['computeSha256Hash', 3_636, 7_013, 0, 0],
  ['computeEd25519PubKey', 40_256, 0, 0, 0],
  ['verifyEd25519Sig', 377_551, 4_059, 0, 0],
  ['vmInstantiation', 417_482, 45_712, 132_773, 4_903],
  ['vmCachedInstantiation', 41_142, 634, 69_472, 1_217],
  ['invokeVmFunction', 1_945, 0, 14, 0],
  ['computeKeccak256Hash', 6_481, 5_943, 0, 0],
  ['decodeEcdsaCurve256Sig', 711, 0, 0, 0],
  ['recoverEcdsaSecp256k1Key', 2_314_804, 0, 181, 0],
  ['int256AddSub', 4_176, 0, 99, 0],
  ['int256Mul', 4_716, 0, 99, 0],
  ['int256Div', 4_680, 0, 99, 0],
  ['int256Pow', 4_256, 0, 99, 0],
  ['int256Shift', 884, 0, 99, 0],
  ['chaCha20DrawBytes', 1_059, 502, 0, 0],
  ['parseWasmInstructions', 73_077, 25_410, 17_564, 6_457],
  ['parseWasmFunctions', 0, 540_752, 0, 47_464],
  ['parseWasmGlobals', 0, 176_363, 0, 13_420],
  ['parseWasmTableEntries', 0, 29_989, 0, 6_285],
  ['parseWasmTypes', 0, 1_061_449, 0, 64_670],
  ['parseWasmDataSegments', 0, 237_336, 0, 29_074],
  ['parseWasmElemSegments', 0, 328_476, 0, 48_095],
  ['parseWasmImports', 0, 701_845, 0, 103_229],
  ['parseWasmExports', 0, 429_383, 0, 36_394],
  ['parseWasmDataSegmentBytes', 0, 28, 0, 257],
  ['instantiateWasmInstructions', 43_030, 0, 70_704, 0],
  ['instantiateWasmFunctions', 0, 7_556, 0, 14_613],
  ['instantiateWasmGlobals', 0, 10_711, 0, 6_833],
  ['instantiateWasmTableEntries', 0, 3_300, 0, 1_025],
  ['instantiateWasmTypes', 0, 0, 0, 0],
  ['instantiateWasmDataSegments', 0, 23_038, 0, 129_632],
  ['instantiateWasmElemSegments', 0, 42_488, 0, 13_665],
  ['instantiateWasmImports', 0, 828_974, 0, 97_637],
  ['instantiateWasmExports', 0, 297_100, 0, 9_176],
  ['instantiateWasmDataSegmentBytes', 0, 14, 0, 126],
  ['sec1DecodePointUncompressed', 1_882, 0, 0, 0],
  ['verifyEcdsaSecp256r1Sig', 3_000_906, 0, 0, 0],
  ['bls12381EncodeFp', 661, 0, 0, 0],
  ['bls12381DecodeFp', 985, 0, 0, 0],
  ['bls12381G1CheckPointOnCurve', 1_934, 0, 0, 0],
  ['bls12381G1CheckPointInSubgroup', 730_510, 0, 0, 0],
  ['bls12381G2CheckPointOnCurve', 5_921, 0, 0, 0],
  ['bls12381G2CheckPointInSubgroup', 1_057_822, 0, 0, 0],
  ['bls12381G1ProjectiveToAffine', 92_642, 0, 0, 0],
  ['bls12381G2ProjectiveToAffine', 100_742, 0, 0, 0],
  ['bls12381G1Add', 7_689, 0, 0, 0],
  ['bls12381G1Mul', 2_458_985, 0, 0, 0],
  ['bls12381G1Msm', 2_347_584, 94_135_478, 109_494, 266_603],
  ['bls12381MapFpToG1', 1_020_885, 0, 2_776, 0],
  ['bls12381HashToG1', 2_638_451, 6_803, 5_896, 0],
  ['bls12381G2Add', 25_207, 0, 0, 0],
  ['bls12381G2Mul', 7_873_219, 0, 0, 0],
  ['bls12381G2Msm', 7_663_880, 298_580_871, 219_654, 266_603],
  ['bls12381MapFp2ToG2', 1_856_539, 0, 1_672, 0],
  ['bls12381HashToG2', 6_315_452, 7_232, 3_960, 0],
  ['bls12381Pairing', 10_558_948, 632_860_943, 2_204, 9_340_474],
  ['bls12381FrFromU256', 1_994, 0, 0, 0],
  ['bls12381FrToU256', 1_155, 0, 248, 0],
  ['bls12381FrAddSub', 74, 0, 0, 0],
  ['bls12381FrMul', 332, 0, 0, 0],
  ['bls12381FrPow', 691, 74_558, 0, 128],
  ['bls12381FrInv', 35_421, 0, 0, 0],
  ['bn254EncodeFp', 344, 0, 0, 0],
  ['bn254DecodeFp', 476, 0, 0, 0],
  ['bn254G1CheckPointOnCurve', 904, 0, 0, 0],
  ['bn254G2CheckPointOnCurve', 2_811, 0, 0, 0],
  ['bn254G2CheckPointInSubgroup', 1_706_052, 0, 0, 0],
  ['bn254G1ProjectiveToAffine', 61, 0, 0, 0],
  ['bn254G1Add', 3_623, 0, 0, 0],
  ['bn254G1Mul', 1_150_435, 0, 0, 0],
  ['bn254Pairing', 5_263_916, 392_472_814, 1_821, 6_232_546],
  ['bn254FrFromU256', 2_052, 0, 0, 0],
  ['bn254FrToU256', 1_133, 0, 312, 0],
  ['bn254FrAddSub', 74, 0, 0, 0],
  ['bn254FrMul', 332, 0, 0, 0],
  ['bn254FrPow', 755, 68_930, 0, 0],
  ['bn254FrInv', 33_151, 0, 0, 0],
  ['bn254G1Msm', 1_185_193, 41_568_084, 73_061, 229_779],
];

/** Name, instructions constant and linear, memory constant and linear. */
type CostParameter = readonly [
  name: string,
  instructions: number,
  instructionsPerUnit: number,
  bytes: number,
  bytesPerUnit: number,
];

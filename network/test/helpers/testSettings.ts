import { xdr } from '@stellar/stellar-sdk';
import costs from './testCostParams.json' with { type: 'json' };

const costParams = (pairs: readonly (readonly number[])[]) =>
  pairs.map(
    ([constTerm = 0, linearTerm = 0]) =>
      new xdr.ContractCostParamEntry({
        ext: xdr.ExtensionPoint.v0(),
        constTerm: BigInt(constTerm),
        linearTerm: BigInt(linearTerm),
      }),
  );

/** The settings that a host needs, with the public networks' orders of magnitude and protocol 27's cost parameters. */
export function testSettings(): xdr.ConfigSettingEntry[] {
  const S = xdr.ConfigSettingEntry;
  return [
    S.configSettingContractMaxSizeBytes(131_072),
    S.configSettingContractComputeV0(
      new xdr.ConfigSettingContractComputeV0({
        ledgerMaxInstructions: 500_000_000n,
        txMaxInstructions: 100_000_000n,
        feeRatePerInstructionsIncrement: 25n,
        txMemoryLimit: 41_943_040,
      }),
    ),
    S.configSettingContractLedgerCostV0(
      new xdr.ConfigSettingContractLedgerCostV0({
        ledgerMaxDiskReadEntries: 500,
        ledgerMaxDiskReadBytes: 3_500_000,
        ledgerMaxWriteLedgerEntries: 250,
        ledgerMaxWriteBytes: 143_360,
        txMaxDiskReadEntries: 100,
        txMaxDiskReadBytes: 200_000,
        txMaxWriteLedgerEntries: 50,
        txMaxWriteBytes: 132_096,
        feeDiskReadLedgerEntry: 6250n,
        feeWriteLedgerEntry: 10_000n,
        feeDiskRead1Kb: 1786n,
        sorobanStateTargetSizeBytes: 3_000_000_000n,
        rentFee1KbSorobanStateSizeLow: -17_000n,
        rentFee1KbSorobanStateSizeHigh: 10_000n,
        sorobanStateRentFeeGrowthFactor: 5000,
      }),
    ),
    S.configSettingContractLedgerCostExtV0(
      new xdr.ConfigSettingContractLedgerCostExtV0({
        txMaxFootprintEntries: 100,
        feeWrite1Kb: 3500n,
      }),
    ),
    S.configSettingContractHistoricalDataV0(
      new xdr.ConfigSettingContractHistoricalDataV0({ feeHistorical1Kb: 16_235n }),
    ),
    S.configSettingContractEventsV0(
      new xdr.ConfigSettingContractEventsV0({
        txMaxContractEventsSizeBytes: 16_384,
        feeContractEvents1Kb: 10_000n,
      }),
    ),
    S.configSettingContractBandwidthV0(
      new xdr.ConfigSettingContractBandwidthV0({
        ledgerMaxTxsSizeBytes: 133_120,
        txMaxSizeBytes: 132_096,
        feeTxSize1Kb: 1624n,
      }),
    ),
    S.configSettingContractCostParamsCpuInstructions(costParams(costs.cpu)),
    S.configSettingContractCostParamsMemoryBytes(costParams(costs.mem)),
    S.configSettingStateArchival(
      new xdr.StateArchivalSettings({
        maxEntryTtl: 3_110_400,
        minTemporaryTtl: 17_280,
        minPersistentTtl: 2_073_600,
        persistentRentRateDenominator: 1215n,
        tempRentRateDenominator: 2430n,
        maxEntriesToArchive: 1000,
        liveSorobanStateSizeWindowSampleSize: 30,
        liveSorobanStateSizeWindowSamplePeriod: 64,
        evictionScanSize: 100_000,
        startingEvictionScanLevel: 7,
      }),
    ),
    S.configSettingLiveSorobanStateSizeWindow(Array.from({ length: 30 }, () => 800_000_000n)),
  ];
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { keyOf } from '../../../test/helpers/testNetwork.ts';
import { testnetSettings } from '../../settings/index.ts';
import { isSettingValid, isUpgradeable } from './settingValidity.ts';

const S = xdr.ConfigSettingEntry;
const MANY = 2_000_000_000;

/** A setting of which one field may be replaced. */
interface Bounded<Fields> {
  readonly least: Fields;
  readonly setting: (fields: Fields) => xdr.ConfigSettingEntry;
}

/** Every field at its least value is valid together; one less in any of them is not. */
function itHasLeast<Fields extends Record<string, number | bigint>>(
  name: string,
  { least, setting }: Bounded<Fields>,
): void {
  it(`${name}: the least of every field is valid`, () => {
    assert.equal(isSettingValid(setting(least)), true);
  });
  for (const [field, value] of Object.entries(least)) {
    it(`${name}: ${field} is refused below ${value}`, () => {
      const below = typeof value === 'bigint' ? value - 1n : value - 1;
      assert.equal(isSettingValid(setting({ ...least, [field]: below })), false);
    });
  }
}

/** Bounds of stellar-core's `MinimumSorobanNetworkConfig`, and of `isValidConfigSettingEntry`. */
describe('Bounds of settings', () => {
  const sizes = {
    contractMaxSizeBytes: [2_000, S.configSettingContractMaxSizeBytes],
    contractDataKeySizeBytes: [200, S.configSettingContractDataKeySizeBytes],
    contractDataEntrySizeBytes: [2_000, S.configSettingContractDataEntrySizeBytes],
  } as const;
  for (const [name, [least, setting]] of Object.entries(sizes)) {
    itHasLeast(name, { least: { bytes: least }, setting: ({ bytes }) => setting(bytes) });
  }

  itHasLeast('bandwidth', {
    least: { feeTxSize1Kb: 0n, txMaxSizeBytes: 10_000, ledgerMaxTxsSizeBytes: 10_000 },
    setting: (fields) =>
      S.configSettingContractBandwidthV0(new xdr.ConfigSettingContractBandwidthV0(fields)),
  });

  itHasLeast('compute', {
    least: {
      ledgerMaxInstructions: 2_500_000n,
      txMaxInstructions: 2_500_000n,
      feeRatePerInstructionsIncrement: 0n,
      txMemoryLimit: 2_000_000,
    },
    setting: (fields) =>
      S.configSettingContractComputeV0(new xdr.ConfigSettingContractComputeV0(fields)),
  });

  itHasLeast('historical data', {
    least: { feeHistorical1Kb: 0n },
    setting: (fields) =>
      S.configSettingContractHistoricalDataV0(
        new xdr.ConfigSettingContractHistoricalDataV0(fields),
      ),
  });

  itHasLeast('ledger cost', {
    least: {
      ledgerMaxDiskReadEntries: 3,
      ledgerMaxDiskReadBytes: 3_200,
      ledgerMaxWriteLedgerEntries: 2,
      ledgerMaxWriteBytes: 3_200,
      txMaxDiskReadEntries: 3,
      txMaxDiskReadBytes: 3_200,
      txMaxWriteLedgerEntries: 2,
      txMaxWriteBytes: 3_200,
      feeDiskReadLedgerEntry: 0n,
      feeWriteLedgerEntry: 0n,
      feeDiskRead1Kb: 0n,
      sorobanStateTargetSizeBytes: 1n,
      rentFee1KbSorobanStateSizeHigh: 0n,
    },
    setting: (fields) =>
      S.configSettingContractLedgerCostV0(
        new xdr.ConfigSettingContractLedgerCostV0({
          ...fields,
          rentFee1KbSorobanStateSizeLow: -17_000n,
          sorobanStateRentFeeGrowthFactor: 0,
        }),
      ),
  });

  itHasLeast('ledger cost, extended', {
    least: { txMaxFootprintEntries: 3, feeWrite1Kb: 0n },
    setting: (fields) =>
      S.configSettingContractLedgerCostExtV0(new xdr.ConfigSettingContractLedgerCostExtV0(fields)),
  });

  itHasLeast('events', {
    least: { txMaxContractEventsSizeBytes: 200, feeContractEvents1Kb: 0n },
    setting: (fields) =>
      S.configSettingContractEventsV0(new xdr.ConfigSettingContractEventsV0(fields)),
  });

  const archival = (fields: Partial<xdr.StateArchivalSettings>) =>
    S.configSettingStateArchival(
      new xdr.StateArchivalSettings({
        maxEntryTtl: 1_054_080,
        minTemporaryTtl: 16,
        minPersistentTtl: 10,
        persistentRentRateDenominator: 1n,
        tempRentRateDenominator: 1n,
        maxEntriesToArchive: 0,
        liveSorobanStateSizeWindowSampleSize: 1,
        liveSorobanStateSizeWindowSamplePeriod: 1,
        evictionScanSize: 0,
        startingEvictionScanLevel: 1,
        ...fields,
      }),
    );

  itHasLeast('state archival', {
    least: {
      maxEntryTtl: 1_054_080,
      minTemporaryTtl: 16,
      minPersistentTtl: 10,
      persistentRentRateDenominator: 1n,
      tempRentRateDenominator: 1n,
      liveSorobanStateSizeWindowSampleSize: 1,
      liveSorobanStateSizeWindowSamplePeriod: 1,
      startingEvictionScanLevel: 1,
    },
    setting: archival,
  });

  it('state archival: scanning begins at one of the 11 levels of the bucket list', () => {
    assert.equal(isSettingValid(archival({ startingEvictionScanLevel: 10 })), true);
    assert.equal(isSettingValid(archival({ startingEvictionScanLevel: 11 })), false);
  });

  it('state archival: an entry may live longer than it lives at least', () => {
    for (const field of ['minPersistentTtl', 'minTemporaryTtl'] as const) {
      assert.equal(isSettingValid(archival({ [field]: 1_054_079 })), true);
      assert.equal(isSettingValid(archival({ [field]: 1_054_080 })), false);
    }
  });

  it('parallel compute: from 1 to 127 clusters', () => {
    const clusters = (ledgerMaxDependentTxClusters: number) =>
      isSettingValid(
        S.configSettingContractParallelComputeV0(
          new xdr.ConfigSettingContractParallelComputeV0({ ledgerMaxDependentTxClusters }),
        ),
      );
    assert.deepEqual([0, 1, 127, 128].map(clusters), [false, true, true, false]);
  });

  describe('timing', () => {
    const bounds = {
      ledgerTargetCloseTimeMilliseconds: [4_000, 5_000],
      nominationTimeoutInitialMilliseconds: [750, 2_500],
      nominationTimeoutIncrementMilliseconds: [750, 2_000],
      ballotTimeoutInitialMilliseconds: [750, 2_500],
      ballotTimeoutIncrementMilliseconds: [750, 2_000],
    } as const;
    const timing = (fields: Partial<xdr.ConfigSettingScpTiming>) =>
      isSettingValid(
        S.configSettingScpTiming(
          new xdr.ConfigSettingScpTiming({
            ledgerTargetCloseTimeMilliseconds: 4_500,
            nominationTimeoutInitialMilliseconds: 1_000,
            nominationTimeoutIncrementMilliseconds: 1_000,
            ballotTimeoutInitialMilliseconds: 1_000,
            ballotTimeoutIncrementMilliseconds: 1_000,
            ...fields,
          }),
        ),
      );
    for (const [field, [least, most]] of Object.entries(bounds)) {
      it(`${field} is from ${least} to ${most}`, () => {
        const values = [least - 1, least, most, most + 1];
        const valid = values.map((value) => timing({ [field]: value }));
        assert.deepEqual(valid, [false, true, true, false]);
      });
    }
  });

  describe('cost parameters', () => {
    const cost = (constTerm: bigint, linearTerm: bigint) =>
      new xdr.ContractCostParamEntry({ ext: xdr.ExtensionPoint.v0(), constTerm, linearTerm });
    const free = (count: number) => Array.from({ length: count }, () => cost(0n, 0n));
    const kinds = {
      instructions: S.configSettingContractCostParamsCpuInstructions,
      memory: S.configSettingContractCostParamsMemoryBytes,
    } as const;
    for (const [name, setting] of Object.entries(kinds)) {
      it(`of ${name}: one for each of the 86 types of cost`, () => {
        const valid = [85, 86, 87].map((count) => isSettingValid(setting(free(count))));
        assert.deepEqual(valid, [false, true, false]);
      });
      it(`of ${name}: none is below zero`, () => {
        for (const below of [cost(-1n, 0n), cost(0n, -1n)]) {
          assert.equal(isSettingValid(setting([...free(85), below])), false);
        }
      });
    }
  });

  it('lanes are not bounded', () => {
    for (const ledgerMaxTxCount of [0, MANY]) {
      const lanes = new xdr.ConfigSettingContractExecutionLanesV0({ ledgerMaxTxCount });
      assert.equal(isSettingValid(S.configSettingContractExecutionLanes(lanes)), true);
    }
  });
});

describe('Keys that may be frozen (CAP-77)', () => {
  const alice = keyOf('alice').publicKey;
  const bob = keyOf('bob').publicKey;
  const contract = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32)));
  const trustline = (asset: xdr.TrustLineAsset) =>
    xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId: alice, asset })).toXdr();
  const issuedBy = (issuer: typeof alice) =>
    xdr.TrustLineAsset.assetTypeCreditAlphanum4(
      new xdr.AlphaNum4({ assetCode: Buffer.from('USDC'), issuer }),
    );
  const keys: Readonly<Record<string, readonly [Uint8Array, boolean]>> = {
    account: [xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: alice })).toXdr(), true],
    'contract data': [
      xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({
          contract,
          key: xdr.ScVal.scvU32(1),
          durability: xdr.ContractDataDurability.persistent,
        }),
      ).toXdr(),
      true,
    ],
    'contract code': [
      xdr.LedgerKey.contractCode(
        new xdr.LedgerKeyContractCode({ hash: new Uint8Array(32) }),
      ).toXdr(),
      true,
    ],
    'trustline to an asset of another': [trustline(issuedBy(bob)), true],
    'trustline to an asset of its own': [trustline(issuedBy(alice)), false],
    'trustline to shares of a pool': [
      trustline(xdr.TrustLineAsset.assetTypePoolShare(new xdr.PoolId(new Uint8Array(32)))),
      false,
    ],
    offer: [
      xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId: alice, offerId: 1n })).toXdr(),
      false,
    ],
    'bytes that are not a key': [Uint8Array.of(1, 2, 3), false],
  };
  for (const [name, [key, may]] of Object.entries(keys)) {
    it(`${name}: ${may ? 'yes' : 'no'}`, () => {
      for (const [keysToFreeze, keysToUnfreeze] of [
        [[key], []],
        [[], [key]],
      ] as const) {
        const delta = new xdr.FrozenLedgerKeysDelta({
          keysToFreeze: [...keysToFreeze],
          keysToUnfreeze: [...keysToUnfreeze],
        });
        assert.equal(isSettingValid(S.configSettingFrozenLedgerKeysDelta(delta)), may);
      }
    });
  }
});

describe('Settings that an upgrade may replace', () => {
  it('are all but those that the ledger writes itself', () => {
    const fixed = testnetSettings().filter((setting) => !isUpgradeable(setting));
    assert.deepEqual(fixed.map(({ type }) => type).sort(), [
      'configSettingEvictionIterator',
      'configSettingFreezeBypassTxs',
      'configSettingFrozenLedgerKeys',
      'configSettingLiveSorobanStateSizeWindow',
    ]);
  });
});

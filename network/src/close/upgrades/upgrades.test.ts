import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { accountKey, putTestContract } from '../../../test/helpers/testContracts.ts';
import { keyOf, pay, resultsOf, TestNetwork } from '../../../test/helpers/testNetwork.ts';
import { initialSettings, readSetting, testnetSettings } from '../../settings/index.ts';
import { ledgerKeyId } from '../../state/index.ts';
import type { AppliedLedger } from '../applyLedger.ts';
import { isSettingValid, isUpgradeable } from './settingValidity.ts';

const PROTOCOL = 27;
const FAR = 2_000_000;
const PUBLISHER = new xdr.ContractId(new Uint8Array(32).fill(0xcf));
const S = xdr.ConfigSettingEntry;
const U = xdr.LedgerUpgrade;

let network: TestNetwork;

beforeEach(async () => {
  network = await TestNetwork.open({ protocol: PROTOCOL });
});

/** Publishes changes of settings as a contract does, and returns the upgrade that names them. */
function publish(
  settings: readonly xdr.ConfigSettingEntry[],
  liveUntil = FAR,
  bytes: Uint8Array = new xdr.ConfigUpgradeSet({ updatedEntry: [...settings] }).toXdr(),
): xdr.LedgerUpgrade {
  const contentHash = createHash('sha256').update(bytes).digest();
  network.putContract(
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: xdr.ScAddress.scAddressTypeContract(PUBLISHER),
        key: xdr.ScVal.scvBytes(contentHash),
        durability: xdr.ContractDataDurability.temporary,
        val: xdr.ScVal.scvBytes(bytes),
      }),
    ),
    liveUntil,
  );
  return U.ledgerUpgradeConfig(new xdr.ConfigUpgradeSetKey({ contractId: PUBLISHER, contentHash }));
}

const upgrade = (...upgrades: xdr.LedgerUpgrade[]): AppliedLedger =>
  network.close([], [], upgrades);
const told = (applied: AppliedLedger): string =>
  (applied.upgradesProcessing[0]?.changes ?? [])
    .map(({ type }) => type.replace('ledgerEntry', '').toUpperCase())
    .join(' ');
const window = (): readonly bigint[] =>
  readSetting(network.state, 'configSettingLiveSorobanStateSizeWindow').liveSorobanStateSizeWindow;
const maxKeySize = (bytes: number) => S.configSettingContractDataKeySizeBytes(bytes);

describe('Upgrades of the header', () => {
  it('take effect for the next ledger', () => {
    upgrade(U.ledgerUpgradeBaseFee(250), U.ledgerUpgradeMaxTxSetSize(7));
    const { baseFee, maxTxSetSize } = network.state.header;
    assert.deepEqual([baseFee, maxTxSetSize], [250, 7]);
  });

  it('are ignored if they make no sense', () => {
    const before = network.state.header;
    const applied = upgrade(
      U.ledgerUpgradeBaseFee(0),
      U.ledgerUpgradeBaseReserve(0),
      U.ledgerUpgradeVersion(PROTOCOL),
      U.ledgerUpgradeVersion(PROTOCOL + 1),
      U.ledgerUpgradeFlags(8),
    );
    assert.deepEqual(applied.upgradesProcessing, []);
    const { baseFee, baseReserve, ledgerVersion, ext } = network.state.header;
    assert.deepEqual(
      [baseFee, baseReserve, ledgerVersion, ext.type],
      [before.baseFee, before.baseReserve, before.ledgerVersion, 'v0'],
    );
  });

  it('raise and lower the base reserve', () => {
    for (const baseReserve of [10_000_000, 2_500_000]) {
      const applied = upgrade(U.ledgerUpgradeBaseReserve(baseReserve));
      assert.equal(applied.upgradesProcessing.length, 1);
      assert.equal(network.state.header.baseReserve, baseReserve);
    }
  });

  it('switch liquidity pools off by flags', () => {
    upgrade(U.ledgerUpgradeFlags(1));
    const { ext } = network.state.header;
    assert.equal(ext.type === 'v1' && ext.v1.flags, 1);
  });
});

describe('Upgrades of settings', () => {
  it('replace the settings in the published set, and apply from the next ledger on', () => {
    const applied = upgrade(publish([maxKeySize(333)]));
    assert.equal(told(applied), 'STATE UPDATED');
    assert.equal(network.engine.settings().maxKeySize, 333);
  });

  it('replace several settings in the order of their ids', () => {
    upgrade(publish([S.configSettingContractMaxSizeBytes(9_999), maxKeySize(300)]));
    const { maxContractSize, maxKeySize: keySize } = network.engine.settings();
    assert.deepEqual([maxContractSize, keySize], [9_999, 300]);
  });

  it('are ignored once the published set has expired, and not a ledger earlier', () => {
    const live = publish([maxKeySize(301)], network.state.header.ledgerSeq + 1);
    assert.equal(told(upgrade(live)), 'STATE UPDATED');
  });

  it('are reported even if nothing changes', () => {
    const { maxKeySize: same } = network.engine.settings();
    assert.equal(told(upgrade(publish([maxKeySize(same)]))), 'STATE UPDATED');
  });

  it('are ignored if the set is missing, expired, or does not match its hash', () => {
    const contentHash = new Uint8Array(32).fill(1);
    const missing = U.ledgerUpgradeConfig(
      new xdr.ConfigUpgradeSetKey({ contractId: PUBLISHER, contentHash }),
    );
    const expired = publish([maxKeySize(334)], network.state.header.ledgerSeq);
    const garbage = publish([], FAR, Uint8Array.of(1, 2, 3, 4));
    assert.deepEqual(upgrade(missing, expired, garbage).upgradesProcessing, []);
  });

  it('are ignored if the set is empty, out of order, or has settings that must not be set', () => {
    const unordered = publish([maxKeySize(300), S.configSettingContractMaxSizeBytes(9_999)]);
    const twice = publish([maxKeySize(300), maxKeySize(301)]);
    const low = publish([maxKeySize(199)]);
    const own = publish([S.configSettingLiveSorobanStateSizeWindow([1n])]);
    assert.deepEqual(upgrade(publish([]), unordered, twice, low, own).upgradesProcessing, []);
  });

  it('set the number of Soroban transactions in a ledger', () => {
    assert.equal(told(upgrade(U.ledgerUpgradeMaxSorobanTxSetSize(3))), 'STATE UPDATED');
    assert.equal(network.engine.settings().lanes.ledgerMaxTxCount, 3);
  });
});

describe('Frozen keys (CAP-77)', () => {
  const alice = keyOf('alice');
  const frozen = (freeze: xdr.LedgerKey[], unfreeze: xdr.LedgerKey[] = []) =>
    S.configSettingFrozenLedgerKeysDelta(
      new xdr.FrozenLedgerKeysDelta({
        keysToFreeze: freeze.map((key) => key.toXdr()),
        keysToUnfreeze: unfreeze.map((key) => key.toXdr()),
      }),
    );

  it('are edited by upgrades as a set, and refuse transactions that touch them', () => {
    network.account('alice');
    const bob = network.account('bob');
    const payment = network.signed({ source: bob, operations: [pay(alice, 1n)] });
    upgrade(publish([frozen([accountKey(alice)])]));
    const { frozenKeys } = network.engine.settings();
    assert.equal(frozenKeys.has(ledgerKeyId(accountKey(alice))), true);
    assert.deepEqual(resultsOf(network.apply([payment])), ['txFrozenKeyAccessed']);
    upgrade(publish([frozen([], [accountKey(alice)])]));
    assert.equal(network.engine.settings().frozenKeys.any, false);
    assert.deepEqual(resultsOf(network.apply([payment])), ['txSuccess']);
  });

  it('let transactions pass that the network names', () => {
    network.account('alice');
    const bob = network.account('bob');
    const payment = network.signed({ source: bob, operations: [pay(alice, 1n)] });
    const [record] = network.apply([payment]).records;
    const bypass = S.configSettingFreezeBypassTxsDelta(
      new xdr.FreezeBypassTxsDelta({
        addTxs: [record?.placed.tx.hash ?? new Uint8Array(32)],
        removeTxs: [],
      }),
    );
    upgrade(publish([frozen([accountKey(alice)]), bypass]));
    assert.deepEqual(resultsOf(network.apply([payment])), ['txSuccess']);
  });

  it('are never offers, data or trustlines of an issuer', () => {
    const data = xdr.LedgerKey.data(
      new xdr.LedgerKeyData({ accountId: alice.publicKey, dataName: 'x' }),
    );
    const own = xdr.LedgerKey.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId: alice.publicKey,
        asset: xdr.TrustLineAsset.assetTypeCreditAlphanum4(
          new xdr.AlphaNum4({ assetCode: Buffer.from('USDC'), issuer: alice.publicKey }),
        ),
      }),
    );
    assert.equal(isSettingValid(frozen([data])), false);
    assert.equal(isSettingValid(frozen([own])), false);
    assert.equal(isSettingValid(frozen([accountKey(alice)])), true);
  });
});

describe('The window of state sizes', () => {
  const resized = (size: number) => {
    const { archival } = network.engine.settings();
    return S.configSettingStateArchival(
      new xdr.StateArchivalSettings({ ...archival, liveSorobanStateSizeWindowSampleSize: size }),
    );
  };

  it('takes a sample at an interval of ledgers, of the state before them', () => {
    putTestContract(network, PROTOCOL, FAR);
    const size = network.engine.stateSize(network.state);
    assert.ok(size > 0n);
    const { liveSorobanStateSizeWindowSamplePeriod: period } = network.engine.settings().archival;
    while (network.state.header.ledgerSeq % period !== 0) {
      assert.ok(window().every((sample) => sample === 0n));
      network.close();
    }
    assert.equal(window().at(-1), size);
    assert.equal(window().at(-2), 0n);
  });

  it('is truncated at its oldest end, or filled with its oldest sample', () => {
    upgrade(publish([resized(5)]));
    assert.equal(window().length, 5);
    upgrade(publish([resized(9)]));
    assert.deepEqual(window(), new Array(9).fill(0n));
  });

  it('is measured again if the cost of memory changes', () => {
    putTestContract(network, PROTOCOL, FAR);
    const costs = testnetSettings().filter(
      ({ type }) => type === 'configSettingContractCostParamsMemoryBytes',
    );
    upgrade(publish(costs));
    const size = network.engine.stateSize(network.state);
    assert.ok(size > 0n);
    assert.ok(window().every((sample) => sample > 0n));
  });
});

describe('Settings', () => {
  it('of testnet and those of a new network keep the bounds that every network keeps', () => {
    for (const settings of [testnetSettings(), initialSettings(), initialSettings(true)]) {
      assert.equal(settings.length, 19);
      assert.deepEqual(
        settings.filter((setting) => isUpgradeable(setting) && !isSettingValid(setting)),
        [],
      );
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { configureHost } from './ledgerEngine.ts';

const NETWORK = Buffer.alloc(32, 1);
const S = xdr.ConfigSettingEntry;

/** Notes what a host is configured with. */
function notingHost() {
  const reserves: number[] = [];
  const settings: string[][] = [];
  const host: Parameters<typeof configureHost>[0] = {
    configureLater(setup) {
      reserves.push(setup.baseReserve);
      settings.push(setup.settings.map((bytes) => Buffer.from(bytes).toString('base64')));
    },
  };
  return { host, reserves, settings };
}

const keySize = (bytes: number) => S.configSettingContractDataKeySizeBytes(bytes);
const codeSize = S.configSettingContractMaxSizeBytes(9_999);

describe('A host is configured', () => {
  it('once with the same settings, even if they were read again', () => {
    const { host, settings } = notingHost();
    const entries = [keySize(300), codeSize];
    configureHost(host, NETWORK, 5, { entries });
    configureHost(host, NETWORK, 5, { entries });
    configureHost(host, Buffer.alloc(32, 1), 5, { entries: [keySize(300), codeSize] });
    assert.deepEqual(settings, [entries.map((entry) => entry.toXdr('base64'))]);
  });

  it('again if a setting, the base reserve or the network changes', () => {
    const { host, settings, reserves } = notingHost();
    configureHost(host, NETWORK, 5, { entries: [keySize(300), codeSize] });
    configureHost(host, NETWORK, 5, { entries: [keySize(301), codeSize] });
    configureHost(host, NETWORK, 5, { entries: [keySize(301), codeSize, codeSize] });
    configureHost(host, NETWORK, 6, { entries: [keySize(301), codeSize, codeSize] });
    configureHost(host, Buffer.alloc(32, 2), 6, { entries: [keySize(301), codeSize, codeSize] });
    assert.equal(settings.length, 5);
    assert.deepEqual(reserves, [5, 5, 5, 6, 6]);
  });

  it('each for itself', () => {
    const [one, other] = [notingHost(), notingHost()];
    for (const { host } of [one, other]) configureHost(host, NETWORK, 5, { entries: [codeSize] });
    assert.deepEqual([one.settings.length, other.settings.length], [1, 1]);
  });
});

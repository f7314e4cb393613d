import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { facilitatorEnvironment } from './facilitatorEnvironment.ts';
import { networkAddresses } from './networkAddresses.ts';
import {
  readSettings,
  whatIsUnusualAboutPrice,
  whatIsWrongWithAddress,
  whatIsWrongWithPrice,
} from './settings.ts';

const ADDRESS = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const read = (values: Readonly<Record<string, unknown>>) => readSettings((name) => values[name]);

describe('E3: the port of the local facilitator', () => {
  it('is a port, or 0 for the previous one', () => {
    assert.equal(read({}).facilitatorPort, undefined);
    assert.equal(read({ facilitatorPort: 0 }).facilitatorPort, undefined);
    assert.equal(read({ facilitatorPort: 4100 }).facilitatorPort, 4100);
    for (const wrong of [-1, 65_536, 1.5, '4021', Number.NaN]) {
      const settings = read({ facilitatorPort: wrong });
      assert.equal(settings.facilitatorPort, undefined);
      assert.equal(settings.problems.length, 1, String(wrong));
    }
  });

  it('terminals get the known facilitator, or nothing without one', () => {
    const none = networkAddresses(read({ network: 'testnet' }), undefined);
    assert.deepEqual(facilitatorEnvironment(none), {});
    const known = networkAddresses(
      read({ network: 'testnet', facilitatorUrl: 'https://f.test/' }),
      undefined,
    );
    assert.equal(facilitatorEnvironment(known)['FACILITATOR_URL'], 'https://f.test');
  });
});

describe('Editor extension settings', () => {
  it('[spec: Editor extension settings/notifyOnEveryPayment] [spec: Editor extension command/price] nothing set: local, no address, quiet, 0.01', () => {
    const settings = read({});
    assert.equal(settings.network, 'local');
    assert.equal(settings.payTo, undefined);
    assert.equal(settings.notifyOnEveryPayment, false);
    assert.equal(settings.defaultPrice, '0.01');
    assert.equal(settings.mcp, 'ask');
    assert.deepEqual(settings.problems, []);
  });

  it('[spec: Editor extension settings/payToAddress] an address is checked by its checksum, not only its form', () => {
    assert.equal(read({ payToAddress: ` ${ADDRESS} ` }).payTo, ADDRESS);
    const mistyped = `${ADDRESS.slice(0, -1)}6`;
    const settings = read({ payToAddress: mistyped });
    assert.equal(settings.payTo, undefined);
    assert.equal(settings.payToText, mistyped);
    assert.match(settings.problems[0]?.message ?? '', /checksum/);
  });

  it('says what is wrong with an address, a secret key first of all', () => {
    assert.match(whatIsWrongWithAddress(`S${'A'.repeat(55)}`), /SECRET/);
    assert.match(whatIsWrongWithAddress(`C${'A'.repeat(55)}`), /contract/);
    assert.match(whatIsWrongWithAddress(`M${'A'.repeat(68)}`), /Muxed/);
    assert.match(whatIsWrongWithAddress('hello'), /55 characters/);
  });

  it('wrong values are reported and not used', () => {
    const settings = read({
      network: 'mainnet',
      rpcUrl: 'ftp://x',
      horizonUrl: 'http://h/',
      smartAccount: ADDRESS,
      defaultPrice: '0',
      mcp: 'yes',
    });
    assert.deepEqual(settings.problems.map(({ name }) => name).sort(), [
      'defaultPrice',
      'mcp',
      'network',
      'rpcUrl',
      'smartAccount',
    ]);
    assert.equal(settings.network, 'local');
    assert.equal(settings.rpcUrl, undefined);
    assert.equal(settings.horizonUrl, 'http://h');
    assert.equal(settings.defaultPrice, '0.01');
  });

  it('[spec: Editor extension command/price] [spec: Limits/Decimals] a price is above zero and has at most 7 decimals', () => {
    assert.match(whatIsWrongWithPrice('99999999999999999999') ?? '', /No account can hold more/);
    assert.equal(whatIsWrongWithPrice('922337203685.4775807'), undefined);
    assert.notEqual(whatIsWrongWithPrice('922337203685.4775808'), undefined);
    for (const good of ['0.01', '1', '0.0000001', '12.5']) {
      assert.equal(whatIsWrongWithPrice(good), undefined, good);
    }
    for (const bad of ['', '0', '0.0', '-1', '1e2', '0,01', '0.00000001', 'abc', '.5.']) {
      assert.ok(whatIsWrongWithPrice(bad), bad);
    }
  });
});

describe('addresses of the network', () => {
  it('testnet has public ones, but no facilitator until one is set', () => {
    const addresses = networkAddresses(read({ network: 'testnet' }), undefined);
    assert.equal(addresses.facilitatorUrl, undefined);
    assert.match(addresses.horizonUrl ?? '', /horizon-testnet/);
  });

  it('settings take precedence over the network’s addresses', () => {
    const settings = read({ rpcUrl: 'http://rpc', facilitatorUrl: 'https://f/' });
    const addresses = networkAddresses(settings, undefined);
    assert.equal(addresses.rpcUrl, 'http://rpc');
    assert.equal(addresses.facilitatorUrl, 'https://f');
    assert.equal(addresses.horizonUrl, undefined);
  });
});

describe('[finding: E9] a price', () => {
  it('above 100 USDC is to be confirmed, and a usual one is not', () => {
    for (const text of ['0.01', '1', '100', ' 99.9999999 ', 'x', '']) {
      assert.equal(whatIsUnusualAboutPrice(text), undefined, text);
    }
    assert.match(whatIsUnusualAboutPrice('99999999999') ?? '', /cost 99999999999 USDC/);
    assert.match(whatIsUnusualAboutPrice('100.0000001') ?? '', /Press Enter again/);
  });
});

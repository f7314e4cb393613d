import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatDecimalAmount } from '../../protocol/index.ts';
import { oldNextVersion } from './decision/versions.ts';
import { parseFacilitatorUrl, parsePayTo, parsePrice } from './paymentTerms.ts';
import { describedBy, serviceName, tagsOf } from './writing/listing.ts';

describe('[spec: Editor extension command/price] a price is decimal text', () => {
  it('more than zero, at most 7 decimals', () => {
    assert.deepEqual(parsePrice('0.01'), { kind: 'money', text: '$0.01' });
    assert.deepEqual(parsePrice(' $1.50 '), { kind: 'money', text: '$1.5' });
    assert.deepEqual(parsePrice('0.0000001'), { kind: 'money', text: '$0.0000001' });
    for (const wrong of ['0', '0.0', '-1', '0.00000001', '1e-2', '1,5', '', '.5', 'free', '0x1']) {
      const refused = parsePrice(wrong);
      assert.ok('code' in refused, wrong);
      assert.equal(refused.code, 'invalid_price');
    }
  });

  it('one that floating point would change is written in atomic units', () => {
    const price = parsePrice('123456789.1234567');
    assert.deepEqual(price, {
      kind: 'units',
      asset: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA',
      amount: '1234567891234567',
    });
  });

  it('what is written as money survives the floating point of the packages', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), (units) => {
        const price = parsePrice(formatDecimalAmount(units));
        assert.ok(!('code' in price) && price.kind === 'money');
        // As @x402/stellar 2.9.0 reads it: parseFloat, then digits of the text.
        const value = Number.parseFloat(price.text.slice(1)).toString();
        const fixed = /e/.test(value) ? Number(value).toFixed(20) : value;
        const [whole = '', fraction = ''] = fixed.split('.');
        assert.equal(BigInt(whole + fraction.padEnd(7, '0').slice(0, 7)), units);
      }),
    );
  });
});

describe('invalid accounts and addresses are refused', () => {
  it('a Stellar address has a checksum', () => {
    const address = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
    assert.equal(parsePayTo(` ${address}\n`), address);
    for (const wrong of [
      '',
      address.slice(0, -1),
      `${address.slice(0, -1)}6`,
      `S${address.slice(1)}`,
    ]) {
      assert.equal(typeof parsePayTo(wrong), 'object', wrong);
    }
  });

  it('a facilitator is reached over http', () => {
    assert.equal(parseFacilitatorUrl('http://127.0.0.1:4021/'), 'http://127.0.0.1:4021');
    for (const wrong of ['127.0.0.1:4021', 'ftp://x', "http://x'y z", '']) {
      assert.equal(typeof parseFacilitatorUrl(wrong), 'object', wrong);
    }
  });
});

describe('[spec: Limits/serviceName] a listing keeps within the packages’ limits', () => {
  it('serviceName is printable ASCII of at most 32', () => {
    assert.equal(serviceName('@acme/weather-api'), 'weather-api');
    assert.equal(serviceName('météo-service'), 'meteo-service');
    assert.equal(serviceName('天気'), undefined);
    assert.equal(serviceName(undefined), undefined);
    assert.equal(serviceName('a'.repeat(80))?.length, 32);
    fc.assert(
      fc.property(fc.string(), (name) => {
        const made = serviceName(name);
        assert.ok(made === undefined || /^[\x20-\x7e]{1,32}$/.test(made));
      }),
    );
  });

  it('tags are at most five words of the path', () => {
    assert.deepEqual(tagsOf('/api/v1/weather/:city/daily.json'), ['weather', 'daily']);
    assert.deepEqual(tagsOf('/'), []);
    assert.equal(tagsOf('/a/b/c/d/e/f/g').length, 5);
  });

  it('the description is the first sentence of the comment above', () => {
    assert.equal(
      describedBy('/**\n * Finds a flight.\n * Twice.\n *\n * @param x\n */'),
      'Finds a flight.',
    );
    assert.equal(describedBy('// eslint-disable-next-line'), undefined);
    assert.equal(describedBy('// GET /x'), undefined);
    assert.equal(describedBy('// app.use(auth());'), undefined);
    assert.equal(describedBy(`// ${'long '.repeat(100)}`)?.length, 256);
  });
});

describe('[spec: Limits/Editor requirements] Next.js below 16.2.6 is refused', () => {
  it('by what is installed, or the range that is asked for', () => {
    for (const old of ['16.2.5', '15.9.9', '^14.2.0', '~16.1.0', '16.0.10']) {
      assert.equal(oldNextVersion(old)?.code, 'next_version', old);
    }
    for (const fine of ['16.2.6', '^16.2.6', '17.0.0', '16', '^16', '16.x', 'latest', undefined]) {
      assert.equal(oldNextVersion(fine), undefined, String(fine));
    }
  });
});

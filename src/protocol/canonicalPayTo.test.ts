import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalPayTo } from './canonicalPayTo.ts';

const ACCOUNT = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const CONTRACT = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';

describe('[spec: Catalog reasons/invalid_payto] a recipient has one form', () => {
  it('an account or a contract, in upper case, without white space', () => {
    for (const address of [ACCOUNT, CONTRACT]) {
      for (const text of [address, ` ${address}\n`, address.toLowerCase()]) {
        assert.equal(canonicalPayTo(text), address);
      }
    }
  });

  it('refuses anything else: other keys, a wrong checksum, a missing or extra letter, a look-alike', () => {
    const wrong = [
      '',
      'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
      ACCOUNT.replace('GBBD', 'GBBE'),
      `${ACCOUNT}A`,
      ACCOUNT.slice(0, -1),
      ACCOUNT.replace('O', '0'),
      ACCOUNT.replace('A', 'А'), // Cyrillic
      `${ACCOUNT.slice(0, 20)} ${ACCOUNT.slice(20)}`,
      `SAV76USXIJOBMEQXPANUOQM6F5LIOTLPDIDVRJBFFE2MDJXG24TAPUU7`,
    ];
    for (const text of wrong) {
      if (text !== ACCOUNT) assert.equal(canonicalPayTo(text), undefined, text);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { USDC_CONTRACT, USDC_ISSUER } from '../../common/testnetAssets.ts';
import { isLookAlike } from './lookAlike.ts';

describe('A name that a stranger chose cannot pass for USDC or an address', () => {
  it("USDC in other scripts' letters, with marks, with digits, or spaced out", () => {
    for (const name of [
      ...['USDC', 'usdc', ' USDC ', 'U.S.D.C', 'U S D C', 'u-s-d-c', '"USDC"'],
      ...['U5DC', 'U$DC', 'USD(', 'Pay U5DC here'],
      ...['UЅDC', 'USDС', 'υsdc', 'ՍSDC', 'ᴜꜱᴅᴄ', 'ꓴꓢꓓꓚ', 'UᏚᎠᏟ', 'usdϲ', 'USDↃ'],
      ...['ＵＳＤＣ', '𝐔𝐒𝐃𝐂', 'USⅮⅭ', 'U\u0332SDC', 'ÚSDC', 'usđc', 'Rates in UЅDС, live'],
    ]) {
      assert.ok(isLookAlike(name), name);
    }
  });

  it('addresses, whole or shortened, also with digits that addresses never contain', () => {
    for (const name of [
      ...[USDC_ISSUER, USDC_CONTRACT, USDC_ISSUER.toLowerCase(), `to ${USDC_ISSUER}`],
      ...[USDC_ISSUER.replace('I', '1').replace('O', '0'), `S${'A'.repeat(55)}`],
      ...['GBBD...FLA5', 'GBBD47IF…3ZLLFLA5', 'pay GBBD47 ** FLA5', 'CBIE__DAMA'],
    ]) {
      assert.ok(isLookAlike(name), name);
    }
  });

  it('other names are accepted, even if they mention USDC', () => {
    for (const name of [
      ...['Weather', 'Rates in USDC', 'USDC/EUR quotes', 'usdc-rates', 'US DC Metro', 'USD'],
      ...['Get...more', 'CSV... JSON', 'GPT-4 proxy', 'C++ linter', 'Музыка', '天気', 'Süd 5'],
      ...['a'.repeat(64), 'get_weather', 'CoinGecko'],
    ]) {
      assert.ok(!isLookAlike(name), name);
    }
  });

  it('any name is checked, and a long one costs no more than its displayed part', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => void isLookAlike(name)));
    for (const part of ['G', 'U', 'A.', 'G ', '5', 'GAAA..']) isLookAlike(part.repeat(50_000));
  });
});

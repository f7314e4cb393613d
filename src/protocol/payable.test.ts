import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_ISSUER } from '../../common/testnetAssets.ts';
import { payable, whyNotPayable } from './payable.ts';

const ACCOUNT = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const CONTRACT = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';
const USDC = { asset_code: 'USDC', asset_issuer: USDC_ISSUER, balance: '1.5000000' };
const OTHER = { asset_code: 'USDC', asset_issuer: ACCOUNT, balance: '9.0000000' };

function answering(status: number, body: unknown) {
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(url);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
  return { asked, get };
}

describe('D1: an address that cannot be paid is reported before it is written', () => {
  const said = async (status: number, body: unknown, address = ACCOUNT) => {
    const found = await payable(address, 'http://horizon', answering(status, body).get);
    return [found.state, whyNotPayable(found, 'the local network')];
  };

  it('an account that does not exist', async () => {
    assert.deepEqual(await said(404, {}), [
      'no_account',
      'does not exist on the local network, so nobody could pay it',
    ]);
  });

  it('an account without a trustline to USDC, even with one to another USDC', async () => {
    assert.deepEqual(await said(200, { balances: [OTHER] }), [
      'no_trustline',
      'has no trustline to USDC, so nobody could pay it',
    ]);
  });

  it('the issuer of USDC, without asking a network', async () => {
    const { asked, get } = answering(200, { balances: [USDC] });
    const found = await payable(USDC_ISSUER, 'http://horizon', get);
    assert.equal(whyNotPayable(found, 'x'), 'is the issuer of USDC, so nobody could pay it');
    assert.equal((await payable(USDC_ISSUER, undefined, get)).state, 'issuer');
    assert.deepEqual(asked, []);
  });

  it('nothing is reported for an address that can be paid', async () => {
    const { asked, get } = answering(200, { balances: [OTHER, USDC] });
    const found = await payable(ACCOUNT, 'http://horizon', get);
    assert.deepEqual(found, { state: 'payable', usdc: 15_000_000n });
    assert.equal(whyNotPayable(found, 'x'), undefined);
    assert.deepEqual(asked, [`http://horizon/accounts/${ACCOUNT}`]);
  });

  it('nor if that is unknown: contracts, no network, invalid answers', async () => {
    const { asked, get } = answering(200, { balances: [] });
    assert.equal((await payable(CONTRACT, 'http://horizon', get)).state, 'unknown');
    assert.equal((await payable(ACCOUNT, undefined, get)).state, 'unknown');
    assert.equal((await payable('nobody', 'http://horizon', get)).state, 'unknown');
    assert.deepEqual(asked, []);
    for (const [status, body] of [
      [500, {}],
      [200, 'not JSON'],
      [200, null],
      [200, { balances: 'all' }],
      [302, {}],
    ] as const) {
      assert.deepEqual(await said(status, body), ['unknown', undefined], JSON.stringify(body));
    }
    const failing = () => Promise.reject(new Error('refused'));
    assert.equal((await payable(ACCOUNT, 'http://horizon', failing)).state, 'unknown');
    assert.deepEqual(await said(200, { balances: [null, 7, { ...USDC, balance: 7 }] }), [
      'payable',
      undefined,
    ]);
  });
});

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Challenge } from './challenge.ts';
import { nameSale } from './paymentIdentifier.ts';
import { webPlatform } from './platform.ts';

const platform = webPlatform(webcrypto as Parameters<typeof webPlatform>[0]);
const challenge = (extensions: Challenge['extensions']): Challenge => ({
  options: [],
  malformed: 0,
  resource: undefined,
  extensions,
  error: undefined,
});
const bazaar = { info: { input: {} } };
const named = (extensions: Challenge['extensions'], id?: string) =>
  nameSale(challenge(extensions), id, platform).extensions;

describe('A buyer identifies its sale', () => {
  it('with a random identifier if the seller accepts one, keeping the declaration', () => {
    const declared = { info: { required: true }, schema: { type: 'object' } };
    const first = named({ bazaar, 'payment-identifier': declared });
    assert.ok(first);
    const echoed = first['payment-identifier'] as typeof declared & { info: { id: string } };
    const { id, ...info } = echoed.info;
    assert.match(id, /^pay_[0-9a-f]{32}$/);
    assert.deepEqual(info, { required: true });
    assert.deepEqual(first['bazaar'], bazaar);
    assert.deepEqual(echoed.schema, declared.schema);
    assert.notDeepEqual(named({ 'payment-identifier': declared }), first);
  });

  it('with its own, whether the seller requests one or not', () => {
    const id = 'order-2026-000000017';
    for (const extensions of [undefined, { 'payment-identifier': { info: { required: false } } }]) {
      assert.deepEqual(named(extensions, id), {
        'payment-identifier': { info: { required: false, id } },
      });
    }
  });

  it('not at all if nobody requests it', () => {
    assert.deepEqual(named({ bazaar }), { bazaar });
    assert.equal(named(undefined), undefined);
  });

  it('only with 16 to 128 letters, digits, _ and -', () => {
    for (const id of ['short', 'a'.repeat(129), 'sixteen letters!!']) {
      assert.throws(() => named(undefined, id), RangeError);
    }
  });
});

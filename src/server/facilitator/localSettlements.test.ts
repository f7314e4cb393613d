import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthorizationKey } from '../../protocol/stellar/index.ts';
import type { SettlementRecord } from '../settlement/index.ts';
import { LocalSettlements } from './localSettlements.ts';
import { refusal } from './payment/index.ts';

const KEY = 'an authorization' as AuthorizationKey;
const NO = refusal('submission_failed', undefined);

/** A settlement of the authorization, as the journal claimed it. */
function settlement(id: string, digest = 'the request'): SettlementRecord {
  return {
    ...{ id, key: KEY, digest, instance: 'i', state: 'claimed', answer: 'held', catalog: 'none' },
    ...{
      terms: undefined,
      client: undefined,
      paymentId: undefined,
      heldBy: 'i',
      request: undefined,
    },
    ...{
      transaction: undefined,
      ledger: undefined,
      paid: undefined,
      arrived: undefined,
      feeCharged: 0n,
      detail: undefined,
    },
    ...{ extensions: undefined, network: 1, claimedAt: 0, updatedAt: 0 },
  };
}

describe('A refusal before anything was submitted', () => {
  const first = settlement('first');
  const second = settlement('second');

  it('applies to identical requests that came before its caller had it', () => {
    const local = new LocalSettlements();
    assert.equal(local.refusalSince(second, 5), undefined);
    local.refuse(first, NO, 10);
    assert.equal(local.refusalSince(second, 5), NO);
    // The refusal is on its way: this request arrived before it was delivered.
    assert.equal(local.refusalSince(second, 15), NO);
    local.refusalTold(first, 20);
    assert.equal(local.refusalSince(second, 15), NO);
    assert.equal(local.refusalSince(second, 21), undefined);
  });

  it('does not apply to another request with the same authorization', () => {
    const local = new LocalSettlements();
    local.refuse(first, NO, 10);
    assert.equal(local.refusalSince(settlement('other', 'another request'), 5), undefined);
  });

  it('if passed on, applies until each caller has it', () => {
    const local = new LocalSettlements();
    local.refuse(first, NO, 10);
    local.refuse(second, NO, 12);
    local.refusalTold(second, 14);
    assert.equal(local.refusalSince(settlement('third'), 15), NO);
    local.refusalTold(first, 16);
    assert.equal(local.refusalSince(settlement('third'), 15), NO);
    assert.equal(local.refusalSince(settlement('third'), 17), undefined);
  });

  it('of an authorization that may be presented again is not kept', () => {
    const local = new LocalSettlements();
    const released = { ...first, key: undefined };
    local.refuse(released, NO, 10);
    local.refusalTold(released, 20);
    assert.equal(local.refusalSince({ ...second, key: undefined }, 5), undefined);
    assert.equal(local.refusalSince(second, 5), undefined);
  });

  it('is forgotten two minutes later, when another is kept', () => {
    const local = new LocalSettlements();
    const other = { ...settlement('other'), key: 'another authorization' as AuthorizationKey };
    local.refuse(first, NO, 10);
    local.refuse(other, NO, 120_010);
    assert.equal(local.refusalSince(second, 5), NO);
    local.refuse(other, NO, 120_011);
    assert.equal(local.refusalSince(second, 5), undefined);
    assert.equal(local.refusalSince({ ...other, id: 'third' }, 5), NO);
  });

  it('is delivered only once', () => {
    const local = new LocalSettlements();
    local.refuse(first, NO, 10);
    local.refusalTold(first, 20);
    local.refusalTold(first, 30);
    assert.equal(local.refusalSince(second, 25), undefined);
  });
});

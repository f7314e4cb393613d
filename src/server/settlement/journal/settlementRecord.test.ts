import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettlement, type SettlementRow } from './settlementRecord.ts';

const ROW: SettlementRow = {
  ...{ id: 'id', authorization_key: 'G…:1', digest: 'digest', instance: 'instance' },
  ...{ state: 'settled', answer: 'held', held_by: 'instance', catalog: 'due' },
  ...{ request: '{"x402Version":2}', channel: 'G1', sequence: 7, hash: 'ab', envelope: 'AAAA' },
  ...{ last_ledger: 50, sent_after: 40, payment_id: 'sale', payer: 'G2', pay_to: 'G3' },
  ...{ asset: 'C1', amount: '100000', claimed_at: 1, updated_at: 2, ledger: 45 },
  ...{
    paid_hash: null,
    paid_ledger: null,
    arrived: null,
    client: null,
    network: 1,
    fee_charged: 200,
    detail: 'detail',
    extensions: '{"bazaar":{}}',
  },
};

describe('A row of the journal', () => {
  it('is a settlement', () => {
    assert.deepEqual(readSettlement(ROW), {
      ...{ id: 'id', key: 'G…:1', digest: 'digest', instance: 'instance', state: 'settled' },
      terms: { payer: 'G2', payTo: 'G3', asset: 'C1', amount: 100_000n },
      ...{ paymentId: 'sale', answer: 'held', heldBy: 'instance', catalog: 'due' },
      request: { x402Version: 2 },
      transaction: {
        ...{ hash: 'ab', envelope: 'AAAA', channel: 'G1', sequence: 7n, lastLedger: 50 },
        sentAfter: 40,
      },
      ...{
        network: 1,
        ledger: 45,
        paid: undefined,
        arrived: undefined,
        client: undefined,
        feeCharged: 200n,
        detail: 'detail',
        extensions: { bazaar: {} },
      },
      ...{ claimedAt: 1, updatedAt: 2 },
    });
  });

  it('has no more than it knows', () => {
    const none = {
      ...{ authorization_key: null, held_by: null, request: null, payment_id: null },
      ...{ ledger: null, fee_charged: null, detail: null, extensions: null },
    };
    const { key, heldBy, request, paymentId, ledger, feeCharged, detail, extensions } =
      readSettlement({ ...ROW, ...none });
    assert.deepEqual([key, heldBy, request, paymentId], Array(4).fill(undefined));
    assert.deepEqual([ledger, detail, extensions, feeCharged], [...Array(3).fill(undefined), 0n]);
  });

  for (const column of ['hash', 'envelope', 'channel', 'sequence', 'last_ledger'] as const) {
    it(`has no transaction without its ${column}`, () => {
      assert.equal(readSettlement({ ...ROW, [column]: null }).transaction, undefined);
    });
  }

  for (const column of ['payer', 'pay_to', 'asset', 'amount'] as const) {
    it(`has no terms without ${column}`, () => {
      assert.equal(readSettlement({ ...ROW, [column]: null }).terms, undefined);
    });
  }

  it('was sent after ledger 0 if an earlier version did not record when', () => {
    assert.equal(readSettlement({ ...ROW, sent_after: null }).transaction?.sentAfter, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallCost } from '../host/index.ts';
import { CallCosts } from './ledgerEngine.ts';

const cost: CallCost = { cpuInstructions: 1, memoryBytes: 2 };
const hash = (byte: number) => Buffer.alloc(32, byte);

describe('The costs of the calls of a transaction', () => {
  it('are found by its hash', () => {
    const costs = new CallCosts();
    costs.remember({ hash: hash(1) }, [cost, cost]);
    assert.deepEqual(costs.of('01'.repeat(32)), [cost, cost]);
    assert.equal(costs.of('02'.repeat(32)), undefined);
  });

  it('are not kept without a call, or with more than 2,000', () => {
    const costs = new CallCosts();
    costs.remember({ hash: hash(1) }, []);
    costs.remember({ hash: hash(2) }, Array(2_001).fill(cost));
    costs.remember({ hash: hash(3) }, Array(2_000).fill(cost));
    const kept = [1, 2, 3].map((byte) => costs.of(hash(byte).toString('hex'))?.length);
    assert.deepEqual(kept, [undefined, undefined, 2_000]);
  });

  it('are kept for the latest 2,000 transactions', () => {
    const costs = new CallCosts();
    const numbered = (at: number) => {
      const bytes = Buffer.alloc(32);
      bytes.writeUInt32BE(at);
      return bytes;
    };
    for (let at = 0; at < 4_001; at++) costs.remember({ hash: numbered(at) }, [cost]);
    assert.equal(costs.of(numbered(0).toString('hex')), undefined);
    assert.deepEqual(costs.of(numbered(4_000).toString('hex')), [cost]);
    assert.deepEqual(costs.of(numbered(2_001).toString('hex')), [cost]);
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { parse, pay, TestNetwork } from '../../test/helpers/testNetwork.ts';
import type { LocalKey } from '../genesis/index.ts';
import { givenOrder, networkOrder } from './applyOrder.ts';
import type { PlacedTransaction } from './transactionSet.ts';

let network: TestNetwork;
const keys: LocalKey[] = [];
const setHash = fc.uint8Array({ minLength: 32, maxLength: 32 });

before(async () => {
  network = await TestNetwork.open();
  for (const name of ['a', 'b', 'c', 'd']) keys.push(network.account(name));
});

/** The n-th transaction of the m-th account. */
const transaction = (account: number, seqNum: number): PlacedTransaction => {
  const source = keys[account] ?? assert.fail('no such account');
  const operations = [pay(source, 1n)];
  return {
    tx: parse(network.signed({ source, operations, seqNum: BigInt(seqNum) })),
    baseFee: 100n,
  };
};
const isOf = (account: xdr.PublicKey, key: LocalKey | undefined): boolean =>
  Buffer.compare(account.toXdr(), key?.publicKey.toXdr() ?? Buffer.alloc(0)) === 0;
const rank = ({ tx }: PlacedTransaction, hash: Uint8Array): string =>
  Buffer.from(tx.fullHash.map((byte, at) => byte ^ (hash[at] ?? 0))).toString('hex');
const ascending = (placed: readonly PlacedTransaction[], hash: Uint8Array): boolean =>
  placed.every((one, at) => {
    const before = placed[at - 1];
    return before === undefined || rank(before, hash) < rank(one, hash);
  });

describe('The order in which a network applies classic transactions', () => {
  it('keeps those of one account in the order of their numbers', () => {
    const classic = [transaction(0, 3), transaction(0, 1), transaction(1, 1), transaction(0, 2)];
    fc.assert(
      fc.property(setHash, (hash) => {
        const { classic: ordered } = networkOrder({ classic, stages: [] }, hash);
        const numbers = ordered
          .filter(({ tx }) => isOf(tx.inner.source, keys[0]))
          .map(({ tx }) => tx.inner.seqNum);
        assert.deepEqual(numbers, [1n, 2n, 3n]);
      }),
    );
  });

  it('applies batches of one transaction per account, each sorted by hash XOR the set’s hash', () => {
    const classic = [0, 1, 2, 3].flatMap((account) => [1, 2].map((n) => transaction(account, n)));
    fc.assert(
      fc.property(setHash, (hash) => {
        const { classic: ordered } = networkOrder({ classic, stages: [] }, hash);
        assert.equal(ordered.length, classic.length);
        assert.ok(ordered.slice(0, 4).every(({ tx }) => tx.inner.seqNum === 1n));
        assert.ok(ascending(ordered.slice(0, 4), hash));
        assert.ok(ascending(ordered.slice(4), hash));
      }),
    );
  });

  it('differs from set to set', () => {
    const classic = [0, 1, 2, 3].map((account) => transaction(account, 1));
    const orders = new Set(
      [0, 1, 2, 3, 4, 5, 6, 7].map((byte) =>
        networkOrder({ classic, stages: [] }, new Uint8Array(32).fill(byte * 37))
          .classic.map((placed) => classic.indexOf(placed))
          .join(),
      ),
    );
    assert.ok(orders.size > 1);
  });
});

describe('The order in which a network applies Soroban transactions', () => {
  it('sorts clusters inside, keeps them in place, and sorts stages by their first transaction', () => {
    const stages = [
      [
        [transaction(0, 1), transaction(0, 2), transaction(1, 1)],
        [transaction(2, 1), transaction(3, 1)],
      ],
      [[transaction(1, 2), transaction(2, 2)]],
    ];
    fc.assert(
      fc.property(setHash, (hash) => {
        const ordered = networkOrder({ classic: [], stages }, hash).stages;
        assert.ok(ordered.flat().every((cluster) => ascending(cluster, hash)));
        const firsts = ordered.map((stage) => stage[0]?.[0] ?? assert.fail('an empty stage'));
        assert.ok(ascending(firsts, hash));
        const large = ordered.find((stage) => stage.length === 2);
        assert.deepEqual(
          large?.map(({ length }) => length),
          [3, 2],
        );
      }),
    );
  });
});

describe('A given order', () => {
  it('is followed within each phase, stage and cluster', () => {
    const [a, b, c, d] = [0, 1, 2, 3].map((account) => transaction(account, 1));
    assert.ok(a && b && c && d);
    const phases = { classic: [a, b], stages: [[[c]], [[d]]] };
    const ordered = givenOrder(
      phases,
      [b, a, d, c].map(({ tx }) => tx.hash),
    );
    assert.deepEqual(ordered, { classic: [b, a], stages: [[[d]], [[c]]] });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../common/address.ts';
import { encodeStrKey } from '../../../common/strKey.ts';
import { toI128, toScAddress } from '../stellar/index.ts';
import { countedAt, partSeconds, readSpendingLimit } from './spendingLimitState.ts';

const contract = (seed: number) => encodeStrKey('contract', new Uint8Array(32).fill(seed));
const address = (seed: number) =>
  xdr.ScVal.scvAddress(toScAddress(contract(seed) as ContractAddress));
const none = xdr.ScVal.scvVoid();
const u64 = (value: bigint) => xdr.ScVal.scvU64(value);
const u32 = (value: number) => xdr.ScVal.scvU32(value);

function map(members: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal {
  const entries = Object.entries(members).map(
    ([key, val]) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(key), val }),
  );
  return xdr.ScVal.scvMap(entries);
}

interface Numbers {
  readonly limit: bigint;
  readonly most?: bigint;
  readonly payments?: number;
  readonly sliding?: boolean;
  readonly parts: readonly (readonly [spent: bigint, payments: number])[];
}

/** The numbers as the module stores them: a day's window, changed twice. */
function numbers({ limit, most = 0n, payments = 0, sliding = false, parts }: Numbers) {
  const bytes = new Uint8Array(60 + 20 * parts.length);
  const view = new DataView(bytes.buffer);
  const amount = (at: number, value: bigint) => {
    view.setBigUint64(at, value & (2n ** 64n - 1n), true);
    view.setBigInt64(at + 8, value >> 64n, true);
  };
  amount(0, limit);
  amount(16, most);
  view.setBigUint64(32, 86_400n, true);
  view.setUint32(40, payments, true);
  view.setUint32(44, 2, true);
  view.setUint32(48, sliding ? 1 : 0, true);
  view.setBigUint64(52, 1_000n, true);
  for (const [slot, [spent, count]] of parts.entries()) {
    amount(60 + 20 * slot, spent);
    view.setUint32(76 + 20 * slot, count, true);
  }
  return xdr.ScVal.scvBytes(bytes);
}

const FIXED = numbers({ limit: 5n, parts: [[3n, 1]] });
/** The module's storage with these parts changed. */
const stored = (change: Readonly<Record<number, xdr.ScVal>> = {}, more: xdr.ScVal[] = []) => {
  const values = [address(1), address(2), none, none, FIXED];
  const changed = values.map((value, index) => change[index] ?? value);
  return new Map([['limit', xdr.ScVal.scvVec([...changed, ...more])]]);
};

describe('The storage of a spending limit', () => {
  it('of this version is read: limits, revision and counted payments', () => {
    const fixed = readSpendingLimit(stored());
    assert.deepEqual(
      [fixed?.wallet, fixed?.token, fixed?.limit, fixed?.window, fixed?.revision],
      [contract(1), contract(2), 5n, 86_400n, 2],
    );
    assert.deepEqual(
      [fixed?.sliding, fixed?.perPayment, fixed?.maxPayments, fixed?.recipients, fixed?.upto],
      [false, undefined, undefined, undefined, undefined],
    );
    assert.deepEqual(fixed?.counted, { start: 1_000n, parts: [{ spent: 3n, payments: 1 }] });
    const parts = Array.from({ length: 13 }, (_, at) => [BigInt(at), at] as const);
    const rich = numbers({
      ...{ limit: 2n ** 127n - 1n, most: 2n ** 100n, payments: 9, sliding: true },
      parts: [[2n ** 100n + 1n, 7], ...parts.slice(1)],
    });
    const list = xdr.ScVal.scvVec([address(3)]);
    const sliding = readSpendingLimit(stored({ 2: address(4), 3: list, 4: rich }));
    assert.deepEqual([sliding?.limit, sliding?.perPayment], [2n ** 127n - 1n, 2n ** 100n]);
    assert.deepEqual([sliding?.sliding, sliding?.maxPayments], [true, 9]);
    assert.deepEqual([sliding?.upto, sliding?.recipients], [contract(4), [contract(3)]]);
    assert.deepEqual(sliding?.counted.parts[0], { spent: 2n ** 100n + 1n, payments: 7 });
    assert.deepEqual(sliding?.counted.parts[12], { spent: 12n, payments: 12 });
  });

  it('of earlier modules is read: version 0.3.0, and the builds after it', () => {
    const first = { wallet: address(1), token: address(2), upto: none };
    const oldest = map({ ...first, limit: toI128(5n), window: u64(60n) });
    const bare = readSpendingLimit(new Map([['config', oldest]]));
    assert.deepEqual([bare?.limit, bare?.revision, bare?.counted.parts], [5n, undefined, []]);
    const narrow = { per_payment: toI128(2n), recipients: xdr.ScVal.scvVec([address(3)]) };
    const later = map({ ...first, limit: toI128(5n), window: u64(60n), ...narrow });
    const window = map({ start: u64(9n), spent: toI128(4n) });
    const spent = readSpendingLimit(
      new Map([
        ['config', later],
        ['window', window],
      ]),
    );
    assert.deepEqual([spent?.perPayment, spent?.recipients], [2n, [contract(3)]]);
    assert.deepEqual(spent?.counted, { start: 9n, parts: [{ spent: 4n, payments: 0 }] });
    assert.deepEqual([spent?.sliding, spent?.revision], [false, undefined]);
  });

  it('of anything else is not read', () => {
    const sliding = numbers({ limit: 5n, sliding: true, parts: [[0n, 0]] });
    const wrong: readonly ReadonlyMap<string, xdr.ScVal>[] = [
      new Map(),
      new Map([['limit', none]]),
      new Map([['limit', xdr.ScVal.scvVec([])]]),
      new Map([['config', none]]),
      new Map([['config', map({ wallet: address(1) })]]),
      stored({ 0: none }),
      stored({ 1: u32(1) }),
      stored({ 2: u32(1) }),
      stored({ 3: xdr.ScVal.scvVec([u32(1)]) }),
      stored({ 3: u32(1) }),
      stored({ 4: none }),
      stored({ 4: xdr.ScVal.scvBytes(new Uint8Array(59)) }),
      stored({ 4: numbers({ limit: 5n, parts: [] }) }),
      stored({ 4: sliding }),
      stored({}, [none]),
    ];
    for (const [index, storage] of wrong.entries()) {
      assert.equal(readSpendingLimit(storage), undefined, `${index}`);
    }
  });
});

describe('What a window counts', () => {
  it('in a fixed window: everything until its last second, then nothing', () => {
    const terms = { window: 100n, sliding: false, maxPayments: undefined };
    const window = { start: 1_000n, parts: [{ spent: 4n, payments: 2 }] };
    assert.deepEqual(countedAt(terms, window, 1_099n), {
      spent: 4n,
      payments: 2,
      resetsAt: 1_100n,
    });
    const over = { spent: 0n, payments: 0, resetsAt: undefined };
    assert.deepEqual(countedAt(terms, window, 1_100n), over);
  });

  it('in a sliding window: each part until twelve newer parts have begun', () => {
    const terms = { window: 120n, sliding: true, maxPayments: undefined };
    assert.equal(partSeconds(120n), 10n);
    assert.equal(partSeconds(121n), 11n);
    const parts = Array.from({ length: 13 }, (_, at) => ({ spent: BigInt(at), payments: 0 }));
    const window = { start: 100n, parts };
    // Part 88, the oldest, counts through part 100.
    assert.equal(countedAt(terms, window, 1_009n).spent, 78n);
    assert.equal(countedAt(terms, window, 1_009n).resetsAt, 1_010n);
    assert.equal(countedAt(terms, window, 1_010n).spent, 66n);
    assert.equal(countedAt(terms, window, 1_119n).spent, 1n);
    assert.equal(countedAt(terms, window, 1_120n).spent, 0n);
  });
});

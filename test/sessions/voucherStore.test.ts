import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { atomicAmount, type ContractAddress, encodeStrKey } from '../../src/protocol/index.ts';
import { databaseVouchers } from '../../src/proxy/voucherRows.ts';
import {
  memoryVouchers,
  type StoredVoucher,
  type VoucherStore,
} from '../../src/seller/sessions/index.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { openPglite } from '../support/pgliteDatabase.ts';

let channels = 0;
function newChannel(): ContractAddress {
  channels += 1;
  return encodeStrKey('contract', Buffer.alloc(32, channels)) as ContractAddress;
}

function voucher(value: bigint, mark = 'a'): StoredVoucher {
  const amount = atomicAmount(value);
  assert(amount !== undefined);
  return { amount, signature: mark.repeat(128) };
}

/** What a store is in, and the stores that two processes have of it. */
interface Opened {
  readonly stores: readonly [VoucherStore, VoucherStore];
  close(): Promise<void>;
}

async function openFolder(): Promise<{ folder: string; open: () => Promise<Database> }> {
  const folder = await mkdtemp(join(tmpdir(), 'vouchers-'));
  return { folder, open: () => openStore({ databaseUrl: null, dataFolder: folder }) };
}

function shared(database: Database, remove: () => Promise<void>): Opened {
  return {
    stores: [databaseVouchers(database), databaseVouchers(database)],
    close: async () => {
      await database.close();
      await remove();
    },
  };
}

const OPENERS: Readonly<Record<string, () => Promise<Opened>>> = {
  memory: async () => {
    const store = memoryVouchers();
    return { stores: [store, store], close: async () => {} };
  },
  SQLite: async () => {
    const { folder, open } = await openFolder();
    return shared(await open(), () => rm(folder, { recursive: true, force: true }));
  },
  PostgreSQL: async () => shared(await openPglite({ pgvector: false }), async () => {}),
};

for (const [name, open] of Object.entries(OPENERS)) {
  describe(`Vouchers in ${name}`, () => {
    let opened: Opened;
    let one: VoucherStore;
    let other: VoucherStore;
    before(async () => {
      opened = await open();
      [one, other] = opened.stores;
    });
    after(() => opened.close());

    it('are the newest of each channel, amount and signature', async () => {
      const [channel, next] = [newChannel(), newChannel()];
      assert.equal(await one.newest(channel), undefined);
      assert(await one.replace(channel, undefined, voucher(10n)));
      assert(await other.replace(channel, voucher(10n), voucher(25n, 'b')));
      assert.deepEqual(await one.newest(channel), voucher(25n, 'b'));
      assert.equal(await one.newest(next), undefined);
    });

    it('are replaced only if the expected one is there, with its signature', async () => {
      const channel = newChannel();
      assert(!(await one.replace(channel, voucher(10n), voucher(20n))), 'there is none');
      assert.equal(await one.newest(channel), undefined);
      assert(await one.replace(channel, undefined, voucher(10n)));
      assert(!(await one.replace(channel, undefined, voucher(20n))));
      assert(!(await one.replace(channel, voucher(11n), voucher(20n))));
      assert(!(await one.replace(channel, voucher(10n, 'b'), voucher(20n))));
      assert.deepEqual(await other.newest(channel), voucher(10n));
    });

    it('have one winner of twenty that replace the same one at once', async () => {
      const channel = newChannel();
      let stored: StoredVoucher | undefined;
      for (const round of [1n, 2n, 3n]) {
        const expected = stored;
        const marks = [...'0123456789abcdef0123'];
        const tries = marks.map(async (mark, index) => {
          const next = voucher(round * 10n, mark);
          const store = index % 2 === 0 ? one : other;
          return (await store.replace(channel, expected, next)) ? next : undefined;
        });
        const won = (await Promise.all(tries)).filter((each) => each !== undefined);
        assert.equal(won.length, 1);
        stored = await one.newest(channel);
        assert.deepEqual(stored, won[0]);
      }
    });

    it('may have any amount that the ledger has', async () => {
      const channel = newChannel();
      const largest = voucher((1n << 127n) - 1n);
      assert(await one.replace(channel, undefined, voucher(0n)));
      assert(await one.replace(channel, voucher(0n), largest));
      assert.deepEqual(await one.newest(channel), largest);
    });
  });
}

describe('Vouchers in SQLite', () => {
  it('are there after the process ended', async () => {
    const { folder, open } = await openFolder();
    const channel = newChannel();
    const first = await open();
    assert(await databaseVouchers(first).replace(channel, undefined, voucher(10n)));
    await first.close();
    const second = await open();
    assert.deepEqual(await databaseVouchers(second).newest(channel), voucher(10n));
    await second.close();
    await rm(folder, { recursive: true, force: true });
  });
});

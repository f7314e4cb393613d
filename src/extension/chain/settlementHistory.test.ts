import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_ISSUER } from '../../protocol/index.ts';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { SettlementHistory } from './settlementHistory.ts';

const ADDRESS = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';

/** Horizon's payments, newest first, of a ledger that grows. */
function horizon(count: number) {
  let newest = count;
  const asked: string[] = [];
  const transport: HttpTransport = async ({ url }) => {
    asked.push(url);
    const query = new URL(url).searchParams;
    const from = Number(query.get('cursor') ?? newest + 1) - 1;
    const records = [];
    for (let id = from; id > 0 && records.length < Number(query.get('limit')); id -= 1) {
      records.push({
        id: String(id),
        paging_token: String(id),
        type: 'invoke_host_function',
        transaction_hash: `hash${id}`,
        created_at: '2026-11-21T10:00:00Z',
        asset_balance_changes: [
          {
            type: 'transfer',
            from: 'GA',
            to: ADDRESS,
            amount: '0.01',
            asset_code: 'USDC',
            asset_issuer: USDC_ISSUER,
          },
        ],
      });
    }
    const body = JSON.stringify({ _embedded: { records } });
    return { status: 200, headers: {}, text: async () => body } as never;
  };
  return { transport, asked, grow: (more: number) => (newest += more), reset: () => (newest = 1) };
}

describe('The history of settlements', () => {
  it('is read once; after that only new settlements are read', async () => {
    const { transport, asked, grow } = horizon(450);
    const history = new SettlementHistory();
    const first = await history.read('http://h', ADDRESS, transport);
    assert.equal(first.settlements.length, 450);
    assert.equal(first.complete, true);
    const before = asked.length;
    grow(2);
    const second = await history.read('http://h', ADDRESS, transport);
    assert.equal(second.settlements.length, 452);
    assert.deepEqual(
      second.settlements.slice(0, 3).map(({ id }) => id),
      ['452', '451', '450'],
    );
    assert.equal(second.complete, true);
    assert.ok(asked.length - before <= 2, `${asked.length - before} requests`);
  });

  it('has the newest 1,000, and says that there are older ones', async () => {
    const { transport, grow } = horizon(1_500);
    const history = new SettlementHistory();
    for (let round = 0; round < 2; round += 1) {
      const { settlements, complete } = await history.read('http://h', ADDRESS, transport);
      assert.equal(settlements.length, 1_000);
      assert.equal(new Set(settlements.map(({ id }) => id)).size, 1_000);
      assert.equal(complete, false);
      grow(3);
    }
  });

  it('starts again for another address, and after a reset of the ledger', async () => {
    const { transport, reset } = horizon(20);
    const history = new SettlementHistory();
    await history.read('http://h', ADDRESS, transport);
    const other = await history.read('http://h', USDC_ISSUER, transport);
    assert.equal(other.settlements.length, 0);
    await history.read('http://h', ADDRESS, transport);
    reset();
    const { settlements } = await history.read('http://h', ADDRESS, transport);
    assert.deepEqual(
      settlements.map(({ id }) => id),
      ['1'],
    );
  });
});

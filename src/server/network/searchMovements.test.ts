import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAYER, SELLER, USDC } from '../../../test/support/payment.ts';
import { RpcError } from './rpcError.ts';
import { searchMovements } from './searchMovements.ts';

const transfer = { asset: USDC, from: PAYER.address, to: SELLER.address };
const range = { start: 100, end: 300, limit: 50 };
const cursorAt = (ledger: number) => `${(BigInt(ledger) << 32n) + 4_096n}-0000000001`;
const events = (count: number, ledger: number) =>
  Array.from({ length: count }, (_, index) => ({ txHash: `${ledger}-${index}`, ledger }));

/** Searches a server that gives these answers in turn; an error is thrown. */
function search(...answers: readonly (object | Error)[]) {
  const asked: object[] = [];
  const left = [...answers];
  const found = searchMovements(
    async (_, params) => {
      asked.push(params ?? {});
      const answer = left.shift() ?? assert.fail('one call too many');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    transfer,
    range,
  );
  return { found, asked };
}

describe('A search for the movements of an asset', () => {
  it('continues at the cursor until the last ledger', async () => {
    const { found, asked } = search(
      { latestLedger: 400, cursor: cursorAt(180), events: events(1, 150) },
      { latestLedger: 400, cursor: cursorAt(301), events: events(2, 250) },
    );
    assert.deepEqual(await found, { hashes: ['150-0', '250-0', '250-1'], searchedFrom: 100 });
    assert.deepEqual(
      asked.map((params) => ('startLedger' in params ? params.startLedger : 'cursor')),
      [100, 'cursor'],
    );
  });

  it('leaves out what happened after its last ledger', async () => {
    const { found } = search({ latestLedger: 400, cursor: cursorAt(400), events: events(1, 301) });
    assert.deepEqual(await found, { hashes: [], searchedFrom: 100 });
  });

  it('has no result from a server that is behind', async () => {
    const { found } = search({ latestLedger: 299, cursor: cursorAt(299), events: [] });
    assert.equal(await found, undefined);
  });

  it('begins at the history of the server, and says so', async () => {
    const refused = new RpcError('refused', 'getEvents', 'not within the ledger range: 200 - 400');
    const { found } = search(refused, { latestLedger: 400, cursor: cursorAt(301), events: [] });
    assert.deepEqual(await found, { hashes: [], searchedFrom: 200 });
  });

  it('has no result if the history begins after its last ledger', async () => {
    const refused = new RpcError('refused', 'getEvents', 'not within the ledger range: 301 - 400');
    assert.equal(await search(refused).found, undefined);
  });

  for (const [name, answer] of [
    ['a cursor that cannot be read', { latestLedger: 400, cursor: 'next', events: [] }],
    ['a full page without a cursor', { latestLedger: 400, events: events(1_000, 150) }],
    ['a cursor before the range', { latestLedger: 400, cursor: cursorAt(99), events: [] }],
  ] as const) {
    it(`does not count as ended after ${name}`, async () => {
      const { found } = search(...Array.from({ length: 6 }, () => answer));
      await assert.rejects(found, { code: 'bad_answer' });
    });
  }
});

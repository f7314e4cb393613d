import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { contractEvent } from '../../../test/support/events.ts';
import { OTHER_ASSET, PAYER, SELLER, USDC } from '../../../test/support/payment.ts';
import type { HttpTransport } from './httpTransport.ts';
import { connectRpc } from './sorobanRpc.ts';

const MOVEMENT = { asset: OTHER_ASSET, from: PAYER.address, to: SELLER.address };
const HASHES = [1, 2, 3, 4, 5].map((digit) => `${digit}`.repeat(64));
const RANGE = { start: 100, end: 200, limit: 10 };

type Answer = { readonly result: unknown } | { readonly error: { code: number; message: string } };
type Params = Readonly<Record<string, unknown>>;

/** A server that answers by these functions, and the parameters of the calls that it got. */
function serverWith(methods: Readonly<Record<string, (params: Params, at: number) => Answer>>) {
  const asked: [method: string, params: Params][] = [];
  const transport: HttpTransport = async ({ body }) => {
    const {
      id,
      method,
      params = {},
    } = JSON.parse(body ?? '') as {
      id: number;
      method: string;
      params?: Params;
    };
    const at = asked.filter(([name]) => name === method).length;
    asked.push([method, params]);
    const answer = methods[method]?.(params, at);
    assert.ok(answer, method);
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    return { status: 200, headers: { get: () => null }, text: async () => text };
  };
  return { rpc: connectRpc('http://rpc.test', transport), asked };
}

/** The cursor after the last event of a ledger. */
const after = (ledger: number) => `${(BigInt(ledger) << 32n) + 0xff_ff_ff_ffn}-4294967295`;
const event = (ledger: number, at: number) => ({ ledger, txHash: HASHES[at] });
const REFUSED: Answer = { error: { code: -32_600, message: 'startLedger must be within' } };

const page = (
  events: readonly object[],
  { cursor = after(200), oldestLedger = 50, latestLedger = 300 }: Params = {},
): Answer => ({ result: { events, cursor, oldestLedger, latestLedger } });

describe('The movements of an asset, as a Stellar RPC reports them', () => {
  it('are searched in the whole range', async () => {
    const { rpc, asked } = serverWith({ getEvents: () => page([event(120, 0), event(130, 1)]) });
    const found = await rpc.movements(MOVEMENT, RANGE);
    assert.deepEqual(found, { hashes: HASHES.slice(0, 2), searchedFrom: 100 });
    const [, params] = asked[0] ?? [];
    assert.deepEqual([params?.['startLedger'], params?.['endLedger']], [100, 201]);
  });

  it('are continued where a page ended before the range did', async () => {
    const { rpc, asked } = serverWith({
      getEvents: (_, at) =>
        at === 0
          ? page([event(120, 0)], { cursor: after(150) })
          : page([event(160, 1), event(201, 2)], { cursor: after(400) }),
    });
    const found = await rpc.movements(MOVEMENT, RANGE);
    assert.deepEqual(found, { hashes: HASHES.slice(0, 2), searchedFrom: 100 });
    const [, params] = asked[1] ?? [];
    assert.equal(params?.['startLedger'], undefined);
    assert.deepEqual(params?.['pagination'], { cursor: after(150), limit: 9 });
  });

  it('are not known from a server that never gets to the end', async () => {
    const { rpc, asked } = serverWith({ getEvents: () => page([], { cursor: after(150) }) });
    assert.equal(await rpc.movements(MOVEMENT, RANGE), undefined);
    assert.equal(asked.length, 2);
  });

  it('are not known from a server whose last ledger is before the end', async () => {
    const { rpc } = serverWith({ getEvents: () => page([], { latestLedger: 199 }) });
    assert.equal(await rpc.movements(MOVEMENT, RANGE), undefined);
  });

  it('are at most as many as the limit', async () => {
    const events = [event(120, 0), event(130, 1), event(140, 2)];
    const { rpc } = serverWith({ getEvents: () => page(events, { cursor: after(140) }) });
    const found = await rpc.movements(MOVEMENT, { ...RANGE, limit: 3 });
    assert.deepEqual(found, { hashes: HASHES.slice(0, 3), searchedFrom: 100 });
  });

  it('of a history that starts later are searched from its first ledger', async () => {
    const { rpc, asked } = serverWith({
      getEvents: ({ startLedger }) =>
        Number(startLedger) < 150 ? REFUSED : page([event(160, 0)], { oldestLedger: 150 }),
      getHealth: () => ({ result: { status: 'healthy', oldestLedger: 150 } }),
    });
    const found = await rpc.movements(MOVEMENT, RANGE);
    assert.deepEqual(found, { hashes: HASHES.slice(0, 1), searchedFrom: 150 });
    assert.equal(asked.length, 3);
  });

  it('are not known if the history starts after the range, or the server does not say where', async () => {
    const since = (oldestLedger: unknown) =>
      serverWith({ getEvents: () => REFUSED, getHealth: () => ({ result: { oldestLedger } }) }).rpc;
    for (const oldest of [201, 90, undefined]) {
      assert.equal(await since(oldest).movements(MOVEMENT, RANGE), undefined);
    }
  });

  it('count from the first ledger that the server still had during the search', async () => {
    const { rpc } = serverWith({ getEvents: () => page([], { oldestLedger: 104 }) });
    assert.deepEqual(await rpc.movements(MOVEMENT, RANGE), { hashes: [], searchedFrom: 104 });
  });

  it('of an older server, which has no cursor, are complete below the limit', async () => {
    const { rpc } = serverWith({
      getEvents: () => ({ result: { events: [event(120, 0)], latestLedger: 300 } }),
    });
    const found = await rpc.movements(MOVEMENT, RANGE);
    assert.deepEqual(found, { hashes: HASHES.slice(0, 1), searchedFrom: 100 });
  });

  it('with an unreadable hash or cursor are not guessed', async () => {
    const strange = serverWith({ getEvents: () => page([{ ledger: 120, txHash: 'none' }]) });
    await assert.rejects(strange.rpc.movements(MOVEMENT, RANGE), { code: 'rpc_failed' });
    const { rpc } = serverWith({ getEvents: () => page([], { cursor: 'elsewhere' }) });
    assert.equal(await rpc.movements(MOVEMENT, RANGE), undefined);
  });
});

describe('A transaction, as a Stellar RPC reports it', () => {
  const [hash] = HASHES as [never];
  const transactionOf = (result: object) =>
    serverWith({ getTransaction: () => ({ result }) }).rpc.transaction(hash);

  it('is included whether it succeeded or failed', async () => {
    const included = { ledger: 7, envelopeXdr: 'AAAA' };
    for (const [status, successful] of [
      ['SUCCESS', true],
      ['FAILED', false],
    ] as const) {
      const found = await transactionOf({ status, ...included });
      const movements = undefined;
      assert.deepEqual(found, { hash, ledger: 7, successful, envelope: 'AAAA', movements });
    }
  });

  it('has the movements of its events, and none of them is left out because it cannot be read', async () => {
    const included = { status: 'SUCCESS', ledger: 7, envelopeXdr: 'AAAA' };
    const withEvents = (...events: readonly string[]) =>
      transactionOf({ ...included, events: { contractEventsXdr: [events, null] } });
    const paid = contractEvent().event.toXdr('base64');
    const toIssuer = contractEvent({
      name: xdr.ScVal.scvSymbol('burn'),
      parties: [PAYER.address],
    }).event.toXdr('base64');
    const amount = 100_000n;
    assert.deepEqual((await withEvents(paid, toIssuer))?.movements, [
      { asset: USDC, from: PAYER.address, to: SELLER.address, amount },
      { asset: USDC, from: PAYER.address, to: undefined, amount },
    ]);
    assert.deepEqual((await withEvents())?.movements, []);
    await assert.rejects(withEvents(paid, 'AAAA'), { code: 'rpc_failed' });
  });

  it('is not known without its ledger or envelope, or if it is not found', async () => {
    assert.equal(await transactionOf({ status: 'NOT_FOUND', latestLedger: 9 }), undefined);
    assert.equal(await transactionOf({ status: 'SUCCESS', ledger: 7 }), undefined);
    assert.equal(await transactionOf({ status: 'SUCCESS', envelopeXdr: 'AAAA' }), undefined);
  });
});

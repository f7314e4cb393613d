import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it, mock } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  Asset,
  type Contract,
  Keypair,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { SLICE } from '../../src/horizon/historyIndex/collectPage.ts';
import { openCertificates } from '../../src/http/certificates/certificateFiles.ts';
import { inTurn } from '../../src/http/ledgerListener.ts';
import { startLedgerServer } from '../../src/http/ledgerServer.ts';
import { talkativeContract, testContract } from '../helpers/testContract.ts';
import { someRoundAnswers } from './answerOrder.ts';
import { deploy } from './deploy.ts';
import { callRpc, hashOf, type Scene, startScene } from './scene.ts';

/** Sends a text, and returns what came back by the time the other side closed. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a request that arrives too slowly is cut off', () => {
  const arrival = { headersTimeout: 200, requestTimeout: 400 };
  const answerAll: RequestListener = (request, response) => {
    request.resume();
    request.on('end', () => response.end('all of it'));
  };
  const serve = () =>
    startLedgerServer({
      port: 0,
      busyPort: 'move',
      listener: answerAll,
      certificates: () => openCertificates(undefined, new Date()),
      onFault: () => {},
      arrival,
    });

  for (const [part, text] of [
    ['its head', 'POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['its body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf'],
  ] as const) {
    it(`${part}`, async () => {
      const server = await serve();
      assert.match(await exchange(server.port, text), /^HTTP\/1\.1 408 /);
      await server.close();
    });
  }
});

describe('unread answers stop the reading', () => {
  it('of requests that were sent ahead', async () => {
    let calls = 0;
    const answer = Buffer.alloc(1 << 20);
    const server = createServer(
      inTurn((_request, response) => {
        calls += 1;
        setImmediate(() => response.end(answer));
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const socket: Socket = connect(port, '127.0.0.1');
    socket.pause();
    const sent = 2_000;
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(sent));
    let before = -1;
    // A busy machine may take long to begin.
    while (calls === 0 || calls !== before) {
      before = calls;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert.ok(calls > 0 && calls < 50, `${calls} of ${sent} were worked on`);
    // All of them are answered to a client that reads.
    let bytes = 0;
    const wanted = 40 * answer.length;
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        if (bytes >= wanted) resolve();
      });
      socket.resume();
    });
    socket.destroy();
    server.close();
  });
});

/** A connection for calls one after the other. */
async function openCaller(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const call = async (method: string, params: object, path = '/rpc'): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(head + body);
    await once(socket, 'data');
  };
  /** The answer has to fit into one piece. */
  const get = async (path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    return String(answer);
  };
  return { socket, call, get };
}

/** Items that a client may ask for at once. */
const LARGEST = { getLedgers: 200, getTransactions: 200, getEvents: 10_000 };

describe('a stranger’s input has a bounded cost', () => {
  let scene: Scene;
  let alice: Keypair;
  before(async () => {
    scene = await startScene();
    alice = await scene.account();
    const payment = Operation.payment({
      destination: alice.publicKey(),
      asset: Asset.native(),
      amount: '1',
    });
    const many = Array.from({ length: 100 }, () => payment);
    for (let n = 0; n < 6; n++) await scene.submit(await scene.signed(alice, ...many));
    // More than a page may have in bytes, and small enough each for many of them.
    for (let n = 0; n < 20; n++) await scene.submit(await scene.signed(alice, ...many));
  });
  after(() => scene[Symbol.asyncDispose]());

  it('a body without a length is read no further than one with a length', async () => {
    for (const path of ['/transactions', '/friendbot', '/transactions_async']) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const sent = httpRequest(`${scene.url}${path}`, {
          method: 'POST',
          agent: false,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            'transfer-encoding': 'chunked',
          },
        });
        sent.on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
        const chunk = Buffer.alloc(64 << 10, 'a');
        for (let n = 0; n < 12; n++) sent.write(chunk);
      });
      assert.equal(status, 413, path);
    }
  });

  it('text that is not a transaction is returned only up to a transaction’s size', async () => {
    for (const path of ['/transactions', '/transactions_async']) {
      const answer = await fetch(`${scene.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        // Each byte of these takes six in JSON.
        body: `tx=${'\u0001'.repeat(400_000)}`,
      });
      assert.equal(answer.status, 400);
      const { length } = await answer.text();
      assert.ok(length < 1 << 20, `${path}: ${length} characters`);
    }
  });

  it('a body of the right size still arrives', async () => {
    const address = Keypair.random().publicKey();
    const answer = await fetch(`${scene.url}/friendbot`, {
      method: 'POST',
      body: new URLSearchParams({ addr: address }),
    });
    assert.equal(answer.status, 200);
  });

  const batch = Array.from({ length: 100 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'getEvents',
    params: { startLedger: 2, pagination: { limit: 10_000 } },
  }));

  it('the calls of a batch share a budget of events and bytes', async () => {
    const answers = (await callRpc(scene.url, batch)) as {
      id: number;
      result?: { events: unknown[] };
      error?: { code: number; message: string };
    }[];
    assert.deepEqual(
      answers.map(({ id }) => id),
      batch.map(({ id }) => id),
    );
    assert.ok((answers[0]?.result?.events.length ?? 0) >= 600);
    const refused = answers.filter(({ error }) => error?.code === -32_005);
    assert.ok(refused.length >= 15, `${refused.length} of 100 were refused`);
    assert.match(refused[0]?.error?.message ?? '', /send fewer calls per batch/);
    assert.ok(JSON.stringify(answers).length < 40 << 20);
  });

  it('so do simulations that fail at once, which cost more than their instructions', async () => {
    // Contracts of strangers run on the thread.
    const contract = await deploy(scene, alice, testContract(27));
    const failing = await scene.signed(alice, contract.call('no_such_function'));
    const params = { transaction: failing.toXdr() };
    const answers = (await callRpc(
      scene.url,
      batch.map(({ id }) => ({ jsonrpc: '2.0', id, method: 'simulateTransaction', params })),
    )) as { result?: { error: string }; error?: { code: number } }[];
    const done = answers.filter(({ result }) => result !== undefined);
    assert.equal(done.length, 20);
    assert.ok(answers.slice(20).every(({ error }) => error?.code === -32_005));
  });

  for (const [method, list, key] of [
    ['getLedgers', 'ledgers', 'sequence'],
    ['getTransactions', 'transactions', 'txHash'],
    ['getEvents', 'events', 'id'],
  ] as const) {
    const pages = async (xdrFormat: string): Promise<unknown[][]> => {
      const found: unknown[][] = [];
      let where: object = { startLedger: 2 };
      let cursor: string | undefined;
      for (;;) {
        const params = { ...where, xdrFormat, pagination: { limit: LARGEST[method], cursor } };
        const call = { jsonrpc: '2.0', id: 1, method, params };
        const answer = (await callRpc(scene.url, call)) as {
          result: Record<string, Record<string, unknown>[]> & {
            cursor: string;
            latestLedger: number;
          };
        };
        const { result } = answer;
        const items = result[list] ?? [];
        if (items.length === 0) return found;
        found.push(items.map((item) => item[key]));
        if (method === 'getLedgers' && Number(result.cursor) === result.latestLedger) return found;
        cursor = result.cursor;
        where = {};
      }
    };

    it(`a page of ${method} ends where it has enough bytes, and its cursor continues`, async () => {
      const json = await pages('json');
      assert.ok(json.length > 1, `${json.length} pages`);
      const base64 = await pages('base64');
      assert.ok(base64.length < json.length, `${base64.length} and ${json.length} pages`);
      assert.deepEqual(json.flat(), base64.flat());
      assert.equal(new Set(json.flat()).size, json.flat().length);
    });
  }

  it('a page of Horizon ends where it has enough text, and its link continues', async () => {
    interface OperationsPage {
      readonly _links: { readonly next: { readonly href: string } };
      readonly _embedded: { readonly records: readonly { readonly id: string }[] };
    }
    const read = async (url: string) => {
      const text = await (await fetch(url)).text();
      const { _links, _embedded } = JSON.parse(text) as OperationsPage;
      const ids = _embedded.records.map(({ id }) => id);
      return { size: text.length, next: _links.next.href, ids };
    };
    const { ids } = await read(`${scene.url}/operations?limit=200&order=desc`);
    assert.equal(ids.length, 200);
    // Each of them repeats a transaction of a hundred.
    const found: string[] = [];
    let next = `${scene.url}/operations?limit=200&order=desc&join=transactions`;
    while (found.length < ids.length) {
      const page = await read(next);
      assert.ok(page.size < 4 << 20, `${page.size} bytes`);
      assert.ok(page.ids.length > 0);
      found.push(...page.ids);
      next = page.next;
    }
    assert.deepEqual(found.slice(0, ids.length), ids);
  });

  it('no ledger is decoded for a page of ledgers, and no meta for one of transactions or events', async () => {
    // Those that closed last are decoded already.
    for (let n = 0; n < 130; n++) scene.ledger.closeLedger();
    const decoded = [xdr.LedgerCloseMeta, xdr.TransactionMeta, xdr.ContractEvent].map((type) =>
      mock.method(type, 'fromXdr'),
    );
    try {
      for (const method of ['getLedgers', 'getTransactions', 'getEvents'] as const) {
        const params = { startLedger: 2, pagination: { limit: LARGEST[method] } };
        await callRpc(scene.url, { jsonrpc: '2.0', id: 1, method, params });
      }
      assert.deepEqual(
        decoded.map(({ mock: { calls } }) => calls.length),
        [0, 0, 0],
      );
    } finally {
      for (const { mock } of decoded) mock.restore();
    }
  });

  it('others are answered between simulations that take the maximum time', async () => {
    const spinning = await scene.signed(
      alice,
      (await deploy(scene, alice, testContract(27))).call('spin'),
    );
    const params = { transaction: spinning.toXdr() };
    // Connections that are open already, so that all calls arrive at once.
    const callers = await Promise.all(Array.from({ length: 12 }, () => openCaller(scene.url)));
    for (const { call } of callers) await call('getHealth', {});
    await someRoundAnswers(
      async () => {
        const order: string[] = [];
        await Promise.all(
          callers.map(async ({ call }, at) => {
            const method = at < 6 ? 'simulateTransaction' : 'getHealth';
            await call(method, at < 6 ? params : {});
            order.push(method);
          }),
        );
        return order;
      },
      (order) => order.lastIndexOf('getHealth') < 8,
    );
    for (const { socket } of callers) socket.destroy();
  });

  for (const [method, path] of [
    ['simulateTransaction', '/rpc'],
    ['svc_traceSimulation', '/control'],
  ] as const) {
    it(`others are answered while one simulation runs for the maximum time: ${method}`, async () => {
      const contract = await deploy(scene, alice, testContract(27));
      const spinning = await scene.signed(alice, contract.call('spin'));
      const [spinner, caller] = [await openCaller(scene.url), await openCaller(scene.url)];
      const params = { transaction: spinning.toXdr() };
      // The first one starts the thread.
      await spinner.call(method, params, path);
      await someRoundAnswers(
        async () => {
          const order: string[] = [];
          await Promise.all([
            spinner.call(method, params, path).then(() => order.push('simulation')),
            (async () => {
              for (const other of ['getLatestLedger', 'getHealth', 'getNetwork']) {
                await caller.call(other, {});
                order.push(other);
              }
            })(),
          ]);
          return order;
        },
        (order) => order.at(-1) === 'simulation',
      );
      for (const { socket } of [spinner, caller]) socket.destroy();
    });
  }

  it('a footprint with more keys than a transaction can have is not simulated', async () => {
    const keyOf = (n: number): xdr.LedgerKey => {
      const hash = new Uint8Array(32);
      new DataView(hash.buffer).setUint32(0, n);
      return xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }));
    };
    const simulate = async (count: number, operation: xdr.Operation) => {
      const keys = Array.from({ length: count }, (_, n) => keyOf(n));
      const account = await scene.server.getAccount(alice.publicKey());
      const data = new SorobanDataBuilder().setReadOnly(keys).setReadWrite(keys).build();
      const transaction = new TransactionBuilder(account, {
        fee: '100',
        networkPassphrase: scene.ledger.passphrase,
      })
        .addOperation(operation)
        .setSorobanData(data)
        .setTimeout(60)
        .build();
      const params = { transaction: transaction.toXdr() };
      const call = { jsonrpc: '2.0', id: 1, method: 'simulateTransaction', params };
      const { result } = (await callRpc(scene.url, call)) as { result: { error?: string } };
      return result.error ?? '';
    };
    const extension = Operation.extendFootprintTtl({ extendTo: 1_000 });
    assert.equal(await simulate(100, extension), '');
    for (const operation of [extension, Operation.restoreFootprint({})]) {
      assert.match(
        await simulate(4_000, operation),
        /^The footprint has 4000 keys; a transaction can have at most \d+$/,
      );
    }
  });

  it('others are answered while trades are aggregated, however many there are', async () => {
    await scene.buyUsdc(alice, '10');
    const trade = Operation.pathPaymentStrictReceive({
      sendAsset: Asset.native(),
      sendMax: '5',
      destination: alice.publicKey(),
      destAsset: scene.usdc,
      destAmount: '0.001',
    });
    const trades = Array.from({ length: 100 }, () => trade);
    const { code, issuer } = scene.usdc;
    const query = new URLSearchParams({
      base_asset_type: 'native',
      counter_asset_type: 'credit_alphanum4',
      counter_asset_code: code,
      counter_asset_issuer: issuer ?? '',
      resolution: '604800000',
    });
    const [trader, caller] = [await openCaller(scene.url), await openCaller(scene.url)];
    const path = `/trade_aggregations?${query}`;
    // As many trades as take this machine several slices of time; a fast one adds up hundreds in one.
    let took = 0;
    for (let made = 0; took < 4 * SLICE && made < 10_000; ) {
      for (let n = 0; n < 8; n++) await scene.submit(await scene.signed(alice, ...trades));
      made += 8 * trades.length;
      // The index is made for the first who asks.
      const [, counted] = /"trade_count": "(\d+)"/.exec(await trader.get(path)) ?? [];
      assert.ok(Number(counted) >= made, `${counted} of ${made}`);
      const began = performance.now();
      await trader.get(path);
      took = performance.now() - began;
    }
    await someRoundAnswers(
      async () => {
        const order: string[] = [];
        await Promise.all([
          trader.get(path).then(() => order.push('trades')),
          caller.call('getHealth', {}).then(() => order.push('health')),
        ]);
        return order;
      },
      (order) => order.at(-1) === 'trades',
    );
    for (const { socket } of [trader, caller]) socket.destroy();
  });

  it('others are answered while a page is computed', async () => {
    const params = { startLedger: 2, xdrFormat: 'json', pagination: { limit: 200 } };
    const page = { jsonrpc: '2.0', id: 1, method: 'getTransactions', params };
    const health = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
    await someRoundAnswers(
      async () => {
        const order: string[] = [];
        const long = callRpc(scene.url, page).then(() => order.push('page'));
        const short = callRpc(scene.url, health).then(() => order.push('health'));
        await Promise.all([long, short]);
        return order;
      },
      (order) => order.at(-1) === 'page',
    );
  });

  it('others are answered while a batch is processed', async () => {
    const health = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
    await someRoundAnswers(
      async () => {
        const order: string[] = [];
        const long = callRpc(scene.url, batch).then(() => order.push('batch'));
        // The batch is under way once the server has begun to read it.
        await new Promise((resolve) => setTimeout(resolve, 30));
        const short = callRpc(scene.url, health).then(() => order.push('health'));
        await Promise.all([long, short]);
        return order;
      },
      (order) => order.at(-1) === 'batch',
    );
  });
});

describe('a contract’s events have a bounded cost', () => {
  const symbol = (name: string): xdr.ScVal => xdr.ScVal.scvSymbol(name);
  const list = (...items: xdr.ScVal[]): xdr.ScVal => xdr.ScVal.scvVec(items);
  const times = (count: number): xdr.ScVal => xdr.ScVal.scvU32(count);
  const long = list(...Array.from({ length: 200 }, (_, at) => times(at)));
  const large = xdr.ScVal.scvBytes(new Uint8Array(60_000));
  /** Room for the events and the log below an error, as base64 or as JSON. */
  const MAX_BYTES = 512 << 10;
  const FAILING = 'calls with large arguments, and a failure in the end';
  const isNotice = ({ event }: xdr.DiagnosticEvent): boolean => {
    const { data } = event.body.v0;
    const said = data.type === 'scvString' ? data.str.toString() : '';
    return /^\d+ diagnostic events of \d+ bytes are left out here/.test(said);
  };

  let scene: Scene;
  let alice: Keypair;
  let contract: Contract;
  let self: xdr.ScVal;
  before(async () => {
    scene = await startScene();
    alice = await scene.account();
    contract = await deploy(scene, alice, talkativeContract(27));
    self = contract.address().toScVal();
  });
  after(() => scene[Symbol.asyncDispose]());

  interface Answer {
    readonly size: number;
    readonly error: string | undefined;
    readonly events: readonly xdr.DiagnosticEvent[];
  }

  async function simulated(call: xdr.Operation, xdrFormat: 'base64' | 'json'): Promise<Answer> {
    const transaction = (await scene.signed(alice, call)).toXdr();
    const params = { transaction, xdrFormat };
    const request = { jsonrpc: '2.0', id: 1, method: 'simulateTransaction', params };
    const { result } = (await callRpc(scene.url, request)) as {
      result: { error?: string; events?: string[]; eventsJson?: xdr.JsonValue[] };
    };
    const events = [
      ...(result.events ?? []).map((event) => xdr.DiagnosticEvent.fromXdr(event, 'base64')),
      ...(result.eventsJson ?? []).map((event) => xdr.DiagnosticEvent.fromJson(event)),
    ];
    return { size: JSON.stringify(result).length, error: result.error, events };
  }

  const nothing = () => [self, symbol('nothing')];
  const calls = {
    'calls with large arguments': () => contract.call('repeat', ...nothing(), list(large)),
    [FAILING]: () => contract.call('repeat_fail', ...nothing(), list(large)),
    'calls with many arguments': () => contract.call('repeat', ...nothing(), list(long, long)),
    'many small events': () => contract.call('shout', list(), times(1), times(9_000)),
    'large events': () => contract.call('shout', list(), large, times(500)),
    'long events': () => contract.call('shout', list(), long, times(1_000)),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (const format of ['base64', 'json'] as const) {
      it(`of a simulation: ${name}, ${format}`, async () => {
        const { size, events } = await simulated(call(), format);
        assert.ok(size < MAX_BYTES, `${size} bytes`);
        assert.equal(events.filter(isNotice).length, 1);
      });
    }
  }

  it('of a simulation, whose first call and last error are kept', async () => {
    const { error, events } = await simulated(calls[FAILING](), 'base64');
    const topics = events.map(({ event }) => event.body.v0.topics.map((topic) => topic.toJson()));
    assert.deepEqual(topics[0]?.[0], { symbol: 'fn_call' });
    assert.ok(topics.slice(-3).some(([name]) => isDeepStrictEqual(name, { symbol: 'error' })));
    assert.match(
      error ?? '',
      /^HostError: Error\(Context, InvalidAction\)\n\nEvent log \(newest first\):\n/,
    );
    assert.match(error ?? '', /\d+ more that do not fit into 32768 bytes\n$/);
  });

  it('of a simulation, which fails if it publishes more than an answer can have', async () => {
    const within = await simulated(contract.call('shout', list(), times(1), times(900)), 'base64');
    assert.equal(within.error, undefined);
    assert.equal(within.events.filter(({ event }) => event.type.name === 'contract').length, 900);
    assert.equal(within.events.filter(isNotice).length, 0);
    const over = await simulated(contract.call('shout', list(), times(1), times(9_000)), 'base64');
    assert.match(
      over.error ?? '',
      /^the result is too large to return: \d+ bytes of contract events/,
    );
  });

  it('of a transaction', async () => {
    const call = await scene.signed(alice, calls['calls with large arguments']());
    const transaction = await scene.server.prepareTransaction(call);
    transaction.sign(alice);
    await scene.submit(transaction);
    const hash = hashOf(transaction);
    for (const xdrFormat of ['base64', 'json']) {
      const params = { hash, xdrFormat };
      const request = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params };
      const text = JSON.stringify(await callRpc(scene.url, request));
      // Events are in the meta, and once more by themselves.
      assert.ok(text.length < 2 * MAX_BYTES, `${xdrFormat}: ${text.length} bytes`);
    }
    const found = await scene.server.getTransaction(hash);
    assert.ok(found.status === 'SUCCESS');
    assert.equal(found.diagnosticEventsXdr?.filter(isNotice).length, 1);
  });
});

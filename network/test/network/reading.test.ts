import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Contract, Keypair, Operation, xdr } from '@stellar/stellar-sdk';
import { callRpc, hashOf, type Scene, startScene } from './scene.ts';

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: unknown;
}

describe('reading the network through Stellar RPC', () => {
  let scene: Scene;
  let alice: Keypair;
  let hashes: string[];

  before(async () => {
    scene = await startScene({ close: { kind: 'manual' } });
    alice = await scene.account();
    hashes = [];
    for (const bumpTo of ['1', '2', '3']) {
      const transaction = await scene.signed(alice, Operation.bumpSequence({ bumpTo }));
      hashes.push(hashOf(transaction));
      await scene.submit(transaction);
    }
  });
  after(() => scene[Symbol.asyncDispose]());

  const call = async (method: string, params?: object): Promise<RpcAnswer> => {
    const answer = await callRpc(scene.url, { jsonrpc: '2.0', id: 7, method, params });
    return answer as RpcAnswer;
  };

  it('getHealth returns how far history reaches', async () => {
    const { server } = scene;
    const health = await server.getHealth();
    const { sequence } = await server.getLatestLedger();
    assert.equal(health.status, 'healthy');
    assert.equal(health.latestLedger, sequence);
    assert.equal(health.oldestLedger, 2);
    assert.equal(health.ledgerRetentionWindow, 17_280);
  });

  it('getNetwork and getVersionInfo name the network', async () => {
    const network = await scene.server.getNetwork();
    assert.deepEqual(network, {
      friendbotUrl: `${scene.url}/friendbot`,
      passphrase: 'Test SDF Network ; September 2015',
      protocolVersion: 28,
    });
    const version = await scene.server.getVersionInfo();
    assert.equal(version.protocolVersion, 28);
    assert.match(version.version, /^28\.0\.0/);
  });

  it('getLatestLedger returns the header and its hash', async () => {
    const latest = await scene.server.getLatestLedger();
    const hash = createHash('sha256').update(latest.headerXdr.toXdr()).digest('hex');
    assert.equal(latest.id, hash);
    assert.equal(latest.headerXdr.ledgerSeq, latest.sequence);
    assert.equal(String(latest.headerXdr.scpValue.closeTime), latest.closeTime);
    assert.equal(latest.metadataXdr.type, 'v2');
  });

  it('getLedgers pages through all of them, whose hashes form a chain', async () => {
    const { server } = scene;
    const { sequence } = await server.getLatestLedger();
    const found: { hash: string; previous: string }[] = [];
    let page = await server.getLedgers({ startLedger: 2, pagination: { limit: 2 } });
    while (page.ledgers.length > 0) {
      for (const { hash, headerXdr } of page.ledgers) {
        const previous = Buffer.from(headerXdr.header.previousLedgerHash.value).toString('hex');
        found.push({ hash, previous });
      }
      if (Number(page.cursor) >= sequence) break;
      page = await server.getLedgers({ pagination: { cursor: page.cursor, limit: 2 } });
    }
    assert.equal(found.length, sequence - 1);
    for (const [at, ledger] of found.entries()) {
      if (at > 0) assert.equal(ledger.previous, found[at - 1]?.hash);
    }
  });

  it('getTransactions pages through all of them in their order', async () => {
    const { server } = scene;
    const found: string[] = [];
    let page = await server.getTransactions({ startLedger: 2, pagination: { limit: 2 } });
    for (;;) {
      found.push(...page.transactions.map(({ txHash }) => txHash));
      if (page.transactions.length < 2) break;
      page = await server.getTransactions({ pagination: { cursor: page.cursor, limit: 2 } });
    }
    assert.deepEqual(found.slice(-3), hashes);
    assert.equal(new Set(found).size, found.length);
  });

  it('getTransaction returns envelope, result and meta, in both formats', async () => {
    const [hash = ''] = hashes;
    const found = await scene.server.getTransaction(hash);
    assert.equal(found.status, 'SUCCESS');
    if (found.status !== 'SUCCESS') return;
    assert.equal(found.resultMetaXdr.type, 'v4');
    assert.equal(found.resultXdr.result.type, 'txSuccess');
    assert.equal(found.events.transactionEventsXdr.length, 1);
    const { result } = await call('getTransaction', { hash, xdrFormat: 'json' });
    const { resultJson, envelopeJson } = result as Record<string, Record<string, unknown>>;
    assert.deepEqual(resultJson, found.resultXdr.toJson());
    assert.deepEqual(envelopeJson, found.envelopeXdr.toJson());
  });

  it('getTransaction refuses text that is not a hash', async () => {
    const wrong = [
      ['ab', 'unexpected hash length (2)'],
      ['z'.repeat(64), 'incorrect hash: it is not hexadecimal'],
    ] as const;
    for (const [hash, message] of wrong) {
      const { error } = await call('getTransaction', { hash });
      assert.deepEqual(error, { code: -32602, message });
    }
  });

  it('getLedgerEntries returns only existing entries, in the requested order', async () => {
    const { usdcContract, sponsor, usdcIssuer } = scene.ledger.accounts;
    const contract = new Contract(usdcContract).getFootprint();
    const [present, other] = [sponsor.address, usdcIssuer].map(accountKey);
    const absent = accountKey(Keypair.random().publicKey());
    assert.ok(present && other);
    const { entries } = await scene.server.getLedgerEntries(other, absent, contract, present);
    assert.deepEqual(
      entries.map(({ key }) => key.toXdr('base64')),
      [other, contract, present].map((key) => key.toXdr('base64')),
    );
    const [, instance] = entries;
    assert.ok((instance?.liveUntilLedgerSeq ?? 0) > 3_000_000);
    assert.equal(entries[0]?.liveUntilLedgerSeq, undefined);
  });

  it('getLedgerEntries refuses TTLs, text that is not a key, and too many keys', async () => {
    const ttl = xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: new Uint8Array(32) }));
    const key = ttl.toXdr('base64');
    const messages = [
      [[key], 'ledger ttl entries cannot be queried directly'],
      [['AAAA'], 'cannot unmarshal key value AAAA at index 0'],
      [Array.from({ length: 201 }, () => key), 'key count (201) exceeds maximum supported (200)'],
    ] as const;
    for (const [keys, message] of messages) {
      assert.deepEqual((await call('getLedgerEntries', { keys })).error, { code: -32602, message });
    }
  });

  it('getFeeStats counts paid fees', async () => {
    const { inclusionFee, sorobanInclusionFee } = await scene.server.getFeeStats();
    assert.equal(inclusionFee.max, '100');
    assert.equal(inclusionFee.mode, '100');
    assert.equal(inclusionFee.transactionCount, '4');
    assert.equal(sorobanInclusionFee.transactionCount, '0');
  });

  it('refuses missing ledgers, and pages that are too long', async () => {
    const { result } = await call('getHealth');
    const { latestLedger } = result as { latestLedger: number };
    const outside = `start ledger (1) must be between the oldest ledger: 2 and the latest ledger: ${latestLedger} for this rpc instance`;
    for (const method of ['getLedgers', 'getTransactions']) {
      const early = await call(method, { startLedger: 1 });
      assert.deepEqual(early.error, { code: -32600, message: outside });
      const long = await call(method, { startLedger: 2, pagination: { limit: 201 } });
      assert.deepEqual(long.error, { code: -32600, message: 'limit must not exceed 200' });
      const both = await call(method, { startLedger: 2, pagination: { cursor: '9' } });
      assert.deepEqual(both.error, {
        code: -32600,
        message: 'startLedger (2) and cursor (9) cannot both be set',
      });
    }
  });

  it('refuses unknown formats', async () => {
    const { error } = await call('getTransaction', { hash: hashes[0], xdrFormat: 'yaml' });
    assert.deepEqual(error, {
      code: -32602,
      message: "got 'yaml': expected base64, json for optional 'xdrFormat'",
    });
  });

  it('getEvents filters by contract, type and topic, wildcards included', async () => {
    const { nativeContract } = scene.ledger.accounts;
    const symbol = (text: string): string => xdr.ScVal.scvSymbol(text).toXdr('base64');
    const count = async (filter: object): Promise<number> => {
      const { result, error } = await call('getEvents', { startLedger: 2, filters: [filter] });
      assert.equal(error, undefined);
      return (result as { events: unknown[] }).events.length;
    };
    const contractIds = [nativeContract];
    // Four fees, and the transfer by which friendbot created the account.
    assert.equal(await count({ contractIds }), 5);
    assert.equal(await count({ contractIds: [scene.ledger.accounts.usdcContract] }), 0);
    assert.equal(await count({ type: 'contract' }), 5);
    assert.equal(await count({ type: 'system' }), 0);
    assert.equal(await count({ contractIds, topics: [[symbol('fee'), '*']] }), 4);
    assert.equal(await count({ contractIds, topics: [[symbol('fee')]] }), 0);
    assert.equal(await count({ contractIds, topics: [[symbol('fee'), '**']] }), 4);
    assert.equal(await count({ contractIds, topics: [['*', '*', '*', '*']] }), 1);
    assert.equal(await count({ contractIds, topics: [['**']] }), 5);
    const both = [
      [symbol('fee'), '*'],
      [symbol('transfer'), '**'],
    ];
    assert.equal(await count({ contractIds, topics: both }), 5);
  });

  it('getEvents continues after its cursor, and returns where the search ended', async () => {
    const { server } = scene;
    const all = await server.getEvents({ startLedger: 2, filters: [] });
    const seen: string[] = [];
    let page = await server.getEvents({ startLedger: 2, filters: [], limit: 2 });
    while (page.events.length > 0) {
      seen.push(...page.events.map(({ id }) => id));
      page = await server.getEvents({ cursor: page.cursor, filters: [], limit: 2 });
    }
    assert.deepEqual(
      seen,
      all.events.map(({ id }) => id),
    );
    assert.deepEqual([...seen].sort(), seen);
    const { sequence } = await server.getLatestLedger();
    assert.equal(BigInt(all.cursor.split('-')[0] ?? '') >> 32n, BigInt(sequence));
  });

  it('getEvents refuses filters that Stellar RPC refuses', async () => {
    const filters = (filter: object): object => ({ startLedger: 2, filters: [filter] });
    const topic = ['*', '*', '*', '*', '*'];
    const messages: [object, string][] = [
      [{ filters: [] }, 'startLedger must be positive'],
      [{ startLedger: 2, filters: Array(6).fill({}) }, 'maximum 5 filters per request'],
      [{ startLedger: 2, pagination: { limit: 10_001 } }, 'limit must not exceed 10000'],
      [filters({ contractIds: ['C'] }), 'filter 1 invalid: contract ID 1 invalid'],
      [
        filters({ topics: [[]] }),
        'filter 1 invalid: topic 1 invalid: topic must have at least 1 segment',
      ],
      [
        filters({ topics: [topic] }),
        'filter 1 invalid: topic 1 invalid: topic cannot have more than 4 segments',
      ],
      [
        filters({ topics: [['**', '*']] }),
        "filter 1 invalid: topic 1 invalid: segment 1 invalid: wildcard '**' is only allowed as the last segment",
      ],
      [
        filters({ type: 'diagnostic' }),
        "filter 1 invalid: filter type invalid: if set, type must be either 'system' or 'contract'",
      ],
    ];
    for (const [params, message] of messages) {
      assert.deepEqual((await call('getEvents', params)).error, { code: -32602, message });
    }
    const { error } = await call('getEvents', { startLedger: 1 });
    assert.equal((error as { code: number }).code, -32600);
  });
});

describe('JSON-RPC 2.0', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene[Symbol.asyncDispose]());

  it('answers the calls of a batch in their order, and nothing to notifications', async () => {
    const answers = await callRpc(scene.url, [
      { jsonrpc: '2.0', id: 'a', method: 'getHealth' },
      { jsonrpc: '2.0', method: 'getHealth' },
      { jsonrpc: '2.0', id: 2, method: 'nope' },
    ]);
    const [first, second, ...more] = answers as { id: unknown; error?: unknown }[];
    assert.equal(first?.id, 'a');
    assert.deepEqual(second, {
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32601, message: 'method not found', data: 'nope' },
    });
    assert.deepEqual(more, []);
    const silent = await callRpc(scene.url, { jsonrpc: '2.0', method: 'getHealth' });
    assert.equal(silent, undefined);
  });

  it('never answers success and error together', async () => {
    const good = await callRpc(scene.url, {
      jsonrpc: '2.0',
      id: 1,
      method: 'getHealth',
      params: null,
    });
    assert.deepEqual(Object.keys(good as object), ['jsonrpc', 'id', 'result']);
  });

  it('refuses a body that is not a call', async () => {
    const code = async (body: unknown): Promise<unknown> => {
      const answer = (await callRpc(scene.url, body)) as { error: { code: number } };
      return answer.error.code;
    };
    assert.equal(await code('{'), -32700);
    assert.equal(await code([]), -32600);
    assert.equal(await code({ id: 1, method: 'getHealth' }), -32600);
    assert.equal(await code({ jsonrpc: '2.0', id: 1 }), -32600);
    assert.equal(
      await code({ jsonrpc: '2.0', id: 1, method: 'getLedgerEntries', params: [] }),
      -32602,
    );
    const wrongType = { jsonrpc: '2.0', id: 1, method: 'getLedgers', params: { startLedger: 'x' } };
    assert.equal(await code(wrongType), -32602);
  });
});

function accountKey(address: string): xdr.LedgerKey {
  const accountId = Keypair.fromPublicKey(address).xdrAccountId();
  return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
}

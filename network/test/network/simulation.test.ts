import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  Account,
  Address,
  Asset,
  Contract,
  Keypair,
  Memo,
  nativeToScVal,
  Operation,
  rpc,
  SorobanDataBuilder,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { callRpc, type Scene, startScene } from './scene.ts';

interface SimulationAnswer {
  readonly error?: string;
  readonly latestLedger: number;
  readonly [field: string]: unknown;
}

describe('simulating a transaction', () => {
  let scene: Scene;
  let alice: Keypair;

  before(async () => {
    scene = await startScene({ close: { kind: 'manual' } });
    alice = await scene.account();
  });
  after(() => scene[Symbol.asyncDispose]());

  function built(
    operation: xdr.Operation,
    memo: Memo = Memo.none(),
    data?: xdr.SorobanTransactionData,
  ): Transaction {
    const builder = new TransactionBuilder(new Account(alice.publicKey(), '1'), {
      fee: '100',
      networkPassphrase: scene.ledger.passphrase,
      memo,
    }).addOperation(operation);
    if (data !== undefined) builder.setSorobanData(data);
    return builder.setTimeout(0).build();
  }

  const call = (name: string, ...args: xdr.ScVal[]): xdr.Operation =>
    new Contract(scene.ledger.accounts.nativeContract).call(name, ...args);
  const transfer = (amount: bigint): xdr.Operation =>
    call(
      'transfer',
      new Address(alice.publicKey()).toScVal(),
      new Address(Keypair.random().publicKey()).toScVal(),
      nativeToScVal(amount, { type: 'i128' }),
    );

  async function simulate(transaction: string, more: object = {}): Promise<SimulationAnswer> {
    const params = { transaction, ...more };
    const answer = await callRpc(scene.url, {
      jsonrpc: '2.0',
      id: 1,
      method: 'simulateTransaction',
      params,
    });
    const { result } = answer as { result: SimulationAnswer };
    assert.ok(result, JSON.stringify(answer));
    return result;
  }

  it('reads without changing anything', async () => {
    const before = await scene.server.getLatestLedger();
    const simulation = await scene.server.simulateTransaction(built(call('decimals')));
    assert.ok(rpc.Api.isSimulationSuccess(simulation));
    assert.equal(scValToNative(simulation.result?.retval ?? xdr.ScVal.scvVoid()), 7);
    assert.equal(simulation.latestLedger, before.sequence);
    assert.deepEqual(simulation.result?.auth, []);
    assert.equal(scene.ledger.closeLedger(), before.sequence + 1);
  });

  it('returns a call’s changes and requirements', async () => {
    const destination = new Address(scene.ledger.accounts.sponsor.address).toScVal();
    const amount = nativeToScVal(5n, { type: 'i128' });
    const operation = call(
      'transfer',
      new Address(alice.publicKey()).toScVal(),
      destination,
      amount,
    );
    const simulation = await scene.server.simulateTransaction(built(operation));
    assert.ok(rpc.Api.isSimulationSuccess(simulation));
    const changes = simulation.stateChanges ?? [];
    assert.deepEqual(changes.map(({ type }) => type).sort(), ['updated', 'updated']);
    const data = simulation.transactionData.build();
    assert.equal(String(data.resourceFee), simulation.minResourceFee);
    assert.equal(data.resources.footprint.readWrite.length, 2);
    assert.ok(simulation.events.length > 0);
  });

  it('returns a failure as a result with an error, its events, and the ledger', async () => {
    const simulation = await scene.server.simulateTransaction(built(transfer(10n ** 18n)));
    assert.ok(rpc.Api.isSimulationError(simulation));
    assert.match(simulation.error, /^HostError: Error\(Contract, #/);
    assert.ok(simulation.events.length > 0);
    assert.equal(simulation.latestLedger, (await scene.server.getLatestLedger()).sequence);
  });

  it('refuses other transactions with Stellar RPC’s messages', async () => {
    const payment = Operation.payment({
      destination: alice.publicKey(),
      asset: Asset.native(),
      amount: '1',
    });
    const two = new TransactionBuilder(new Account(alice.publicKey(), '1'), {
      fee: '100',
      networkPassphrase: scene.ledger.passphrase,
    })
      .addOperation(payment)
      .addOperation(payment)
      .setTimeout(0)
      .build();
    const refusals: [string, object, string][] = [
      ['AAAA', {}, 'Could not unmarshal transaction'],
      [two.toXdr(), {}, 'Transaction contains more than one operation'],
      [
        built(call('decimals'), Memo.text('x')).toXdr(),
        {},
        'Transaction contains a memo. Soroban transactions do not support memos.',
      ],
      [
        built(payment).toXdr(),
        {},
        'transaction contains unsupported operation type: OperationTypePayment',
      ],
      [
        built(call('decimals')).toXdr(),
        { authMode: 'maybe' },
        "optional 'authMode' must be one of enforce,record,record_allow_nonroot when included",
      ],
      [
        built(Operation.restoreFootprint({})).toXdr(),
        { authMode: 'record' },
        'cannot set authMode with non-InvokeHostFunction operations',
      ],
      [
        built(Operation.restoreFootprint({})).toXdr(),
        {},
        'To perform a SimulateTransaction for ExtendFootprintTtl or RestoreFootprint operations, SorobanTransactionData must be provided',
      ],
    ];
    for (const [transaction, more, error] of refusals) {
      assert.equal((await simulate(transaction, more)).error, error);
    }
  });

  it('adds the requested leeway to the instructions', async () => {
    const instructions = async (resourceConfig?: object): Promise<number> => {
      const more = resourceConfig === undefined ? {} : { resourceConfig };
      const result = await simulate(built(call('decimals')).toXdr(), more);
      const data = xdr.SorobanTransactionData.fromXdr(String(result['transactionData']), 'base64');
      return data.resources.instructions;
    };
    const plain = await instructions();
    assert.ok((await instructions({ instructionLeeway: 5_000_000 })) > plain + 4_000_000);
  });

  it('writes JSON on request', async () => {
    const result = await simulate(built(call('decimals')).toXdr(), { xdrFormat: 'json' });
    const [{ returnValueJson } = {}] = (result['results'] ?? []) as { returnValueJson?: unknown }[];
    assert.deepEqual(returnValueJson, { u32: 7 });
    assert.equal(typeof result['transactionDataJson'], 'object');
    assert.equal(result['transactionData'], undefined);
  });

  it('returns the price of a longer lifetime, which can then be bought', async () => {
    const key = new Contract(scene.ledger.accounts.nativeContract).getFootprint();
    const data = new SorobanDataBuilder().setReadOnly([key]).build();
    const extendTo = 3_110_399;
    const transaction = built(Operation.extendFootprintTtl({ extendTo }), Memo.none(), data);
    const simulation = await scene.server.simulateTransaction(transaction);
    assert.ok(rpc.Api.isSimulationSuccess(simulation), JSON.stringify(simulation));
    const source = await scene.server.getAccount(alice.publicKey());
    const fresh = new TransactionBuilder(source, {
      fee: '100',
      networkPassphrase: scene.ledger.passphrase,
    })
      .addOperation(Operation.extendFootprintTtl({ extendTo }))
      .setSorobanData(data)
      .setTimeout(0)
      .build();
    const ready = rpc.assembleTransaction(fresh, simulation).build();
    ready.sign(alice);
    const { ledger } = await scene.submit(ready);
    const { entries } = await scene.server.getLedgerEntries(key);
    assert.equal(entries[0]?.liveUntilLedgerSeq, ledger + extendTo);
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  Account,
  Address,
  Keypair,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { failingContract } from '../helpers/failingContract.ts';
import { sequenceOf } from './reading.ts';

const PROTOCOL = 27;

/** Puts a module and a contract of it on the ledger. */
async function deploy(ledger: RunningLedger, salt: string): Promise<string> {
  const { wasm, hash } = failingContract(PROTOCOL);
  const id = createHash('sha256').update(salt).digest();
  const instance = new xdr.ScContractInstance({
    executable: xdr.ContractExecutable.contractExecutableWasm(hash),
    storage: null,
  });
  const code = new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash, code: wasm });
  const data = new xdr.ContractDataEntry({
    ext: xdr.ExtensionPoint.v0(),
    contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(id)),
    key: xdr.ScVal.scvLedgerKeyContractInstance(),
    durability: xdr.ContractDataDurability.persistent,
    val: xdr.ScVal.scvContractInstance(instance),
  });
  for (const part of [
    xdr.LedgerEntryData.contractCode(code),
    xdr.LedgerEntryData.contractData(data),
  ]) {
    const entry = new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 1,
      data: part,
      ext: xdr.LedgerEntryExt.v0(),
    });
    await ledger.control('svc_setEntry', { entry: entry.toXdr('base64') });
  }
  return Address.contract(id).toString();
}

function footprintOf(...contracts: readonly string[]): xdr.LedgerKey[] {
  const { hash } = failingContract(PROTOCOL);
  return [
    xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash })),
    ...contracts.map((id) =>
      xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({
          contract: new Address(id).toScAddress(),
          key: xdr.ScVal.scvLedgerKeyContractInstance(),
          durability: xdr.ContractDataDurability.persistent,
        }),
      ),
    ),
  ];
}

describe('a transaction that failed explains itself', () => {
  let ledger: RunningLedger;
  let source: Keypair;
  let outer: string;
  let inner: string;
  before(async () => {
    ledger = await startLedger({ port: null, close: { kind: 'manual' }, seed: 'traces' });
    source = Keypair.fromSecret(ledger.accounts.friendbot.secret);
    outer = await deploy(ledger, 'outer');
    inner = await deploy(ledger, 'inner');
  });
  after(() => ledger.close());

  async function built(operation: xdr.Operation, data: xdr.SorobanTransactionData | undefined) {
    const sequence = await sequenceOf(ledger, source.publicKey());
    const builder = new TransactionBuilder(new Account(source.publicKey(), sequence), {
      fee: '50000000',
      networkPassphrase: ledger.passphrase,
    });
    builder.addOperation(operation).setTimeout(0);
    if (data !== undefined) builder.setSorobanData(data);
    const transaction = builder.build();
    transaction.sign(source);
    return transaction;
  }

  const resources = (footprint: readonly xdr.LedgerKey[], instructions: number) =>
    new SorobanDataBuilder()
      .setReadOnly([...footprint])
      .setResources(instructions, 10_000, 0)
      .setResourceFee(40_000_000)
      .build();

  const calling = (contract: string, name: string, ...args: readonly xdr.ScVal[]) =>
    Operation.invokeContractFunction({ contract, function: name, args: [...args] });

  /** Sends it, closes a ledger, and traces it there. */
  async function traced(operation: xdr.Operation, data: xdr.SorobanTransactionData) {
    const transaction = await built(operation, data);
    const sent = await ledger.call('sendTransaction', { transaction: transaction.toXdr() });
    const { status, hash } = sent as { status: string; hash: string };
    assert.equal(status, 'PENDING', JSON.stringify(sent));
    ledger.closeLedger();
    return ledger.control('svc_traceTransaction', { hash });
  }

  const nested = (name: string, ...args: readonly xdr.ScVal[]) =>
    calling(
      outer,
      'forward',
      new Address(inner).toScVal(),
      xdr.ScVal.scvSymbol(name),
      xdr.ScVal.scvVec([...args]),
    );

  it('with the name and description of a nested contract’s error', async () => {
    const trace = await traced(nested('fail'), resources(footprintOf(outer, inner), 10_000_000));
    assert.equal(trace.successful, false);
    assert.equal(trace.result, 'invokeHostFunctionTrapped');
    assert.equal(trace.failure?.contract?.id, inner);
    assert.equal(trace.failure?.function, 'fail');
    assert.equal(trace.failure?.code, 'Error(Contract, #7)');
    assert.equal(trace.failure?.name, 'TooBlue');
    assert.equal(trace.failure?.meaning, 'There is more blue than the wall can take');
    const [root] = trace.steps;
    assert.ok(root?.kind === 'call' && root.contract.id === outer);
    assert.equal(root.outcome, 'failed');
    const within = root.steps.find((step) => step.kind === 'call');
    assert.ok(within?.kind === 'call' && within.contract.id === inner);
    assert.equal(within.outcome, 'failed');
    assert.ok((trace.cpuInstructions ?? 0) > 100_000 && (trace.memoryBytes ?? 0) > 10_000);
    assert.match(trace.text, /✗ Error\(Contract, #7\) TooBlue: There is more blue/);
    assert.match(trace.text, new RegExp(`Addresses[^]*${inner}`));
  });

  it('with a description of a trap', async () => {
    const trace = await traced(nested('trap'), resources(footprintOf(outer, inner), 10_000_000));
    assert.equal(trace.failure?.function, 'trap');
    assert.equal(trace.failure?.code, 'Error(WasmVm, InvalidAction)');
    assert.match(trace.failure?.meaning ?? '', /the code trapped/);
  });

  it('with a budget that ran out, and where', async () => {
    const trace = await traced(nested('spin'), resources(footprintOf(outer, inner), 2_000_000));
    assert.equal(trace.failure?.code, 'Error(Budget, ExceededLimit)');
    assert.equal(trace.failure?.function, 'spin');
    assert.match(trace.failure?.meaning ?? '', /CPU instructions or memory is used up/);
    assert.ok((trace.cpuInstructions ?? 0) > 1_900_000);
  });

  it('with an entry that the footprint lacks', async () => {
    const trace = await traced(nested('fail'), resources(footprintOf(outer), 10_000_000));
    assert.equal(trace.failure?.code, 'Error(Storage, ExceededLimit)');
    assert.match(trace.failure?.meaning ?? '', /footprint of the transaction does not contain/);
  });

  it('with log lines, and arguments by name and type', async () => {
    const blue = xdr.ScVal.scvU32(2);
    const trace = await traced(
      calling(outer, 'speak', blue),
      resources(footprintOf(outer), 10_000_000),
    );
    assert.equal(trace.successful, true);
    assert.equal(trace.failure, null);
    const [root] = trace.steps;
    assert.ok(root?.kind === 'call');
    assert.deepEqual(root.arguments, [{ name: 'color', type: 'Color', value: 'Blue' }]);
    assert.deepEqual(root.steps, [{ kind: 'log', text: 'the paint is dry' }]);
    assert.equal(root.outcome, 'returned');
  });

  it('with storage and its lifetime, and the parts of the fee', async () => {
    const trace = await traced(calling(outer, 'fail'), resources(footprintOf(outer), 10_000_000));
    const instance = trace.storage.find(({ kind }) => kind === 'instance');
    assert.equal(instance?.contract?.id, outer);
    assert.equal(instance?.access, 'read');
    assert.ok((instance?.liveUntilLedger ?? 0) > trace.ledger);
    const { charged, inclusion, resources: used, refundable, paidBy } = trace.fees;
    assert.equal(BigInt(inclusion) + BigInt(used ?? 0) + BigInt(refundable ?? 0), BigInt(charged));
    assert.equal(paidBy, source.publicKey());
  });

  it('and so does a simulation that fails', async () => {
    const transaction = (await built(nested('fail'), undefined)).toXdr();
    const trace = await ledger.control('svc_traceSimulation', { transaction });
    assert.equal(trace.successful, false);
    assert.equal(trace.failure?.contract?.id, inner);
    assert.equal(trace.failure?.name, 'TooBlue');
    assert.match(trace.text, /^Simulation on ledger \d+: failed \(Error\(Contract, #7\)\)/);
  });

  it('a transfer over the balance names the error of the asset contract', async () => {
    const poor = Keypair.random();
    const account = poor.publicKey();
    await ledger.control('svc_setBalance', { account, asset: 'native', amount: '3' });
    const { nativeContract, sponsor } = ledger.accounts;
    const operation = calling(
      nativeContract,
      'transfer',
      new Address(account).toScVal(),
      new Address(sponsor.address).toScVal(),
      xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: 50_000_000n })),
    );
    const transaction = (await built(operation, undefined)).toXdr();
    const trace = await ledger.control('svc_traceSimulation', { transaction });
    assert.equal(trace.failure?.contract?.name, 'XLM');
    assert.equal(trace.failure?.function, 'transfer');
    assert.equal(trace.failure?.name, 'BalanceError');
    const [root] = trace.steps;
    assert.ok(root?.kind === 'call');
    assert.deepEqual(
      root.arguments.map(({ name, type, amount }) => [name, type, amount]),
      [
        ['from', 'Address', undefined],
        ['to', 'MuxedAddress', undefined],
        ['amount', 'i128', '5 XLM'],
      ],
    );
    assert.match(trace.text, /facilitator's sponsor/);
  });

  it('a transfer that would succeed shows its authorization, its writes and its story', async () => {
    const { nativeContract, sponsor, friendbot } = ledger.accounts;
    const operation = calling(
      nativeContract,
      'transfer',
      new Address(sponsor.address).toScVal(),
      new Address(friendbot.address).toScVal(),
      xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: 5_000_000n })),
    );
    const transaction = (await built(operation, undefined)).toXdr();
    const trace = await ledger.control('svc_traceSimulation', { transaction });
    assert.equal(trace.successful, true);
    assert.equal(trace.authorization[0]?.by, sponsor.address);
    const [root] = trace.steps;
    assert.ok(root?.kind === 'call');
    assert.deepEqual(root.authorizedBy, [sponsor.address]);
    assert.ok(trace.storage.some(({ access, changed }) => access === 'write' && changed));
    assert.match(trace.story.join('\n'), /0\.5 XLM would move from the facilitator's sponsor G/);
  });

  it('unknown and malformed hashes, and anything other than a call, are refused', async () => {
    await assert.rejects(
      ledger.control('svc_traceTransaction', { hash: 'ab'.repeat(32) }),
      /no transaction with this hash is kept/,
    );
    await assert.rejects(
      ledger.control('svc_traceTransaction', { hash: 'ab' }),
      /hash must be a transaction hash of 64 hexadecimal digits/,
    );
    const payment = Operation.bumpSequence({ bumpTo: '0' });
    const transaction = (await built(payment, undefined)).toXdr();
    await assert.rejects(
      ledger.control('svc_traceSimulation', { transaction }),
      /unsupported operation type/,
    );
    await assert.rejects(
      ledger.control('svc_traceSimulation', { transaction: 'AAAA' }),
      /transaction must be a TransactionEnvelope in base64/,
    );
  });
});

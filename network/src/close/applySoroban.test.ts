import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  accountKey,
  addressOf,
  amount,
  extend,
  instanceKey,
  invoke,
  type PutContract,
  putData,
  putNativeContract,
  putTestContract,
  restore,
  soroban,
  sorobanData,
} from '../../test/helpers/testContracts.ts';
import { keyOf, pay, resultsOf, sign, TestNetwork, XLM } from '../../test/helpers/testNetwork.ts';
import type { LocalKey } from '../genesis/index.ts';
import type { InvokeRequest, SorobanHost } from '../host/index.ts';
import { ledgerKeyId, ttlKeyId } from '../state/index.ts';
import type { AppliedLedger } from './applyLedger.ts';

const PROTOCOL = 27;
const FAR = 2_000_000;
const { persistent, temporary } = xdr.ContractDataDurability;

let network: TestNetwork;
let contract: PutContract;
let native: xdr.ContractId;
let alice: LocalKey;
let bob: LocalKey;
let requests: InvokeRequest[];

/** Notes what the engine asks of the host; the host answers. */
const watch = (host: SorobanHost): SorobanHost =>
  new Proxy(host, {
    get(target, name) {
      if (name === 'invoke') {
        return (request: InvokeRequest) => {
          requests.push(request);
          return target.invoke(request);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

beforeEach(async () => {
  requests = [];
  network = await TestNetwork.open({ protocol: PROTOCOL, classicEvents: true, watch });
  contract = putTestContract(network, PROTOCOL, FAR);
  native = putNativeContract(network, FAR);
  alice = network.account('alice');
  bob = network.account('bob');
});

const call = (name: string, source = alice): xdr.TransactionEnvelope =>
  soroban(network, source, invoke(contract.id, name), {
    readOnly: [contract.instance, contract.code],
  });
const metaOf = (applied: AppliedLedger, at = 0): xdr.TransactionMetaV4 => {
  const meta = applied.txProcessing[at]?.txApplyProcessing;
  assert.ok(meta?.type === 'v4');
  return meta.v4;
};
const returned = (applied: AppliedLedger, at = 0): xdr.ScVal => {
  const value = metaOf(applied, at).sorobanMeta?.returnValue;
  assert.ok(value, resultsOf(applied).join());
  return value;
};
const number = (value: xdr.ScVal): bigint => {
  if (value.type === 'scvU32') return BigInt(value.u32);
  if (value.type === 'scvU64') return value.u64;
  return assert.fail(`not a number: ${value.type}`);
};
const operationResult = (applied: AppliedLedger, at = 0): string => {
  const result = applied.records[at]?.outcome.operations[0];
  return result?.type === 'opInner' ? result.tr.value.type : (result?.type ?? 'none');
};
const liveUntil = (key: xdr.LedgerKey): number | undefined => {
  const entry = network.state.peek(ttlKeyId(ledgerKeyId(key)));
  return entry?.data.type === 'ttl' ? entry.data.ttl.liveUntilLedgerSeq : undefined;
};

describe('The ledger data that a contract sees', () => {
  it('is the sequence and the close time of the ledger that is being closed', () => {
    const { ledgerSeq, scpValue } = network.state.header;
    assert.equal(number(returned(network.apply([], [call('sequence')]))), BigInt(ledgerSeq + 1));
    const time = number(returned(network.apply([], [call('time')])));
    assert.ok(time > scpValue.closeTime);
    assert.equal(time, network.apply([], [call('time')]).header.scpValue.closeTime);
  });

  it('includes the last ledger up to which it can extend: the maximum TTL, counting this ledger', () => {
    const { maxEntryTtl } = network.engine.settings().archival;
    const { ledgerSeq } = network.state.header;
    const last = number(returned(network.apply([], [call('last_ledger')])));
    assert.equal(last, BigInt(ledgerSeq + 1 + maxEntryTtl - 1));
  });

  it('is randomness from the set’s hash and the place in the order over all phases', () => {
    const first = network.apply([], [call('random', alice), call('random', bob)]);
    const second = network.apply(
      [network.signed({ source: bob, operations: [pay(alice, 1n)] })],
      [call('random', alice)],
    );
    const seedOf = (applied: AppliedLedger, index: number): string => {
      const place = Buffer.alloc(8);
      place.writeUInt32BE(index, 4);
      const { value } = applied.header.scpValue.txSetHash;
      return createHash('sha256').update(value).update(place).digest('hex');
    };
    assert.deepEqual(
      requests.map(({ prngSeed }) => Buffer.from(prngSeed).toString('hex')),
      [seedOf(first, 0), seedOf(first, 1), seedOf(second, 1)],
    );
    const drawn = [returned(first, 0), returned(first, 1), returned(second, 1)];
    assert.equal(new Set(drawn.map((value) => value.toXdr('base64'))).size, 3);
  });
});

describe('The base reserve', () => {
  const transfer = (stroops: bigint): AppliedLedger => {
    const newcomer = keyOf('newcomer');
    const args = [addressOf(alice), addressOf(newcomer), amount(stroops)];
    return network.apply(
      [],
      [
        soroban(network, alice, invoke(native, 'transfer', args, true), {
          readOnly: [instanceKey(native)],
          readWrite: [accountKey(alice), accountKey(newcomer)],
        }),
      ],
    );
  };

  it('of the header is what an account that a contract creates must hold twice', () => {
    assert.deepEqual(resultsOf(transfer(XLM)), ['txSuccess']);
    const short = transfer(XLM - 1n);
    assert.deepEqual(resultsOf(short), ['txFailed']);
    assert.equal(operationResult(short), 'invokeHostFunctionTrapped');
  });
});

describe('The resource fee', () => {
  it('is refunded as far as it was not used, and reported as an event after all transactions', () => {
    const applied = network.close([], [call('nop')]);
    const [record] = applied.records;
    const { refundable, feeCharged } = record?.outcome ?? {};
    assert.ok(refundable !== undefined && feeCharged !== undefined);
    assert.equal(feeCharged, 50_000_100n - refundable.refund);
    assert.equal(network.state.header.feePool, feeCharged);
    assert.deepEqual(
      metaOf(applied).events.map(({ stage }) => stage.name),
      ['transactionEventStageBeforeAllTxs', 'transactionEventStageAfterAllTxs'],
    );
    assert.equal(applied.txProcessing[0]?.postTxApplyFeeProcessing.length, 2);
  });

  it('is refunded except for the declared part if the transaction fails', () => {
    const applied = network.close([], [call('no_such_function')]);
    assert.deepEqual(resultsOf(applied), ['txFailed']);
    const { refundable } = applied.records[0]?.outcome ?? {};
    assert.equal(refundable?.refund, refundable?.maximum);
  });

  it('is reported in the meta: the cost of the resources, and the used part of the rest', () => {
    const applied = network.close([], [call('nop'), call('no_such_function', bob)]);
    const feesOf = (at: number) => {
      const ext = metaOf(applied, at).sorobanMeta?.ext;
      assert.ok(ext?.type === 'v1');
      return ext.v1;
    };
    const { refundable } = applied.records[0]?.outcome ?? {};
    assert.ok(refundable !== undefined && refundable.consumed > 0n);
    assert.equal(feesOf(0).totalRefundableResourceFeeCharged, refundable.consumed);
    assert.equal(feesOf(0).totalNonRefundableResourceFeeCharged, 50_000_000n - refundable.maximum);
    assert.equal(feesOf(1).totalRefundableResourceFeeCharged, 0n);
    assert.equal(metaOf(applied, 1).sorobanMeta?.returnValue, null);
  });

  it('is refunded to the source of a fee bump', () => {
    const bumped = network.feeBump(call('nop'), bob, 60_000_000n);
    const applied = network.close([], [bumped]);
    assert.deepEqual(resultsOf(applied), ['txFeeBumpInnerSuccess: txSuccess']);
    const feeCharged = applied.records[0]?.outcome.feeCharged ?? 0n;
    assert.ok(feeCharged < 50_000_000n);
    assert.equal(network.accountOf(bob)?.balance, 1_000n * XLM - feeCharged);
    assert.equal(network.accountOf(alice)?.balance, 1_000n * XLM);
  });
});

describe('Limits', () => {
  it('of the network refuse a transaction before it runs', () => {
    const { txMaxInstructions } = network.engine.settings().compute;
    const greedy = soroban(network, alice, invoke(contract.id, 'nop'), {
      instructions: Number(txMaxInstructions) + 1,
    });
    const applied = network.apply([], [greedy]);
    assert.deepEqual(resultsOf(applied), ['txSorobanInvalid']);
    assert.equal(requests.length, 0);
    assert.equal(metaOf(applied).diagnosticEvents.length, 1);
  });

  it('declared by a transaction itself end it', () => {
    const heavy = soroban(network, alice, invoke(contract.id, 'nop'), {
      readOnly: [contract.instance, contract.code],
      instructions: 10_000,
    });
    const applied = network.apply([], [heavy]);
    assert.equal(operationResult(applied), 'invokeHostFunctionResourceLimitExceeded');
  });

  it('on what it can read end it too', () => {
    const reader = soroban(network, alice, invoke(contract.id, 'nop'), {
      readOnly: [contract.instance, contract.code, accountKey(bob)],
      bytes: 10,
    });
    const applied = network.apply([], [reader]);
    assert.equal(operationResult(applied), 'invokeHostFunctionResourceLimitExceeded');
    assert.equal(requests.length, 0);
  });

  it('on the footprint: no key twice, and none that contracts cannot read', () => {
    const twice = soroban(network, alice, invoke(contract.id, 'nop'), {
      readOnly: [contract.instance],
      readWrite: [contract.instance],
    });
    assert.deepEqual(resultsOf(network.apply([], [twice])), ['txSorobanInvalid']);
    const data = xdr.LedgerKey.data(
      new xdr.LedgerKeyData({ accountId: alice.publicKey, dataName: 'name' }),
    );
    const odd = soroban(network, alice, invoke(contract.id, 'nop'), { readOnly: [data] });
    assert.deepEqual(resultsOf(network.apply([], [odd])), ['txSorobanInvalid']);
  });

  it('allow no memo, and no fee below the resources’ cost', () => {
    const noted = network.signed({
      source: alice,
      operations: [invoke(contract.id, 'nop')],
      memo: xdr.Memo.memoText('hello'),
      sorobanData: sorobanData({}),
      fee: 60_000_000n,
    });
    assert.deepEqual(resultsOf(network.apply([], [noted])), ['txSorobanInvalid']);
    const cheap = soroban(network, alice, invoke(contract.id, 'nop'), { resourceFee: 10n });
    assert.deepEqual(resultsOf(network.apply([], [cheap])), ['txSorobanInvalid']);
  });
});

describe('An extension of a TTL', () => {
  const extended = (source: LocalKey, extendTo: number): xdr.TransactionEnvelope =>
    soroban(network, source, extend(extendTo), { readOnly: [contract.instance] });
  const STATE_BEFORE = 'STATE UPDATED';
  const told = (applied: AppliedLedger, at: number): string =>
    (metaOf(applied, at).operations[0]?.changes ?? [])
      .map(({ type }) => type.replace('ledgerEntry', '').toUpperCase())
      .join(' ');
  const untilOf = (applied: AppliedLedger, at: number, change: number): number | undefined => {
    const found = metaOf(applied, at).operations[0]?.changes[change];
    if (found === undefined || found.type === 'ledgerEntryRemoved') return undefined;
    return found.value.data.type === 'ttl' ? found.value.data.ttl.liveUntilLedgerSeq : undefined;
  };

  it('counts from the ledger that applies it', () => {
    network.close([], [extended(alice, FAR)]);
    assert.equal(liveUntil(contract.instance), network.state.header.ledgerSeq + FAR);
  });

  it('is refused beyond the longest TTL', () => {
    const { maxEntryTtl } = network.engine.settings().archival;
    const fits = network.apply([], [extended(alice, maxEntryTtl - 1)]);
    assert.equal(operationResult(fits), 'extendFootprintTtlSuccess');
    const long = network.apply([], [extended(alice, maxEntryTtl)]);
    assert.equal(operationResult(long), 'extendFootprintTtlMalformed');
  });

  it('through a read-only key is not seen by later transactions of the cluster', () => {
    const applied = network.close([], [extended(alice, FAR + 500), extended(bob, FAR + 900)]);
    assert.deepEqual([told(applied, 0), told(applied, 1)], [STATE_BEFORE, STATE_BEFORE]);
    assert.deepEqual([untilOf(applied, 0, 0), untilOf(applied, 1, 0)], [FAR, FAR]);
    assert.equal(liveUntil(contract.instance), network.state.header.ledgerSeq + FAR + 900);
  });

  it('is seen once a transaction names the key as read-write, whether it is refused or not', () => {
    const late = network.account('late', { seqNum: 5n });
    const data = { readWrite: [contract.instance] };
    const refused = soroban(network, late, restore(), data);
    const [tx] = refused.type === 'envelopeTypeTx' ? [refused.v1.tx] : [];
    assert.ok(tx);
    const applied = network.apply(
      [],
      [
        extended(alice, FAR + 500),
        sign(new xdr.Transaction({ ...tx, seqNum: 9n }), [late]),
        extended(bob, FAR + 900),
      ],
    );
    assert.deepEqual(resultsOf(applied), ['txSuccess', 'txBadSeq', 'txSuccess']);
    assert.equal(untilOf(applied, 2, 0), applied.header.ledgerSeq + FAR + 500);
  });

  it('counts as the longest one, whichever cluster made it', () => {
    const stages = [[[extended(alice, FAR + 900)], [extended(bob, FAR + 500)]]];
    network.commit(network.applyStages([], stages));
    assert.equal(liveUntil(contract.instance), network.state.header.ledgerSeq + FAR + 900);
  });

  it('is seen by the next stage', () => {
    const stages = [[[extended(alice, FAR + 500)]], [[extended(bob, FAR + 900)]]];
    const applied = network.applyStages([], stages);
    assert.equal(untilOf(applied, 1, 0), applied.header.ledgerSeq + FAR + 500);
  });
});

describe('An archived entry', () => {
  const EXPIRED = 900;

  it('cannot be read before it is restored', () => {
    const entry = putData(network, 'old', persistent, EXPIRED);
    const reader = soroban(network, alice, invoke(contract.id, 'nop'), {
      readOnly: [contract.instance, contract.code, entry],
    });
    assert.equal(operationResult(network.apply([], [reader])), 'invokeHostFunctionEntryArchived');
  });

  it('is restored by a transaction that marks it, for the shortest TTL', () => {
    const entry = putData(network, 'old', persistent, EXPIRED);
    const writer = soroban(network, alice, invoke(contract.id, 'nop'), {
      readOnly: [contract.instance, contract.code],
      readWrite: [entry],
      restore: [0],
    });
    const applied = network.close([], [writer]);
    assert.deepEqual(resultsOf(applied), ['txSuccess']);
    const { minPersistentTtl } = network.engine.settings().archival;
    assert.equal(liveUntil(entry), network.state.header.ledgerSeq + minPersistentTtl - 1);
    const kinds = metaOf(applied).operations[0]?.changes.map(({ type }) => type);
    assert.deepEqual(kinds, ['ledgerEntryRestored', 'ledgerEntryRestored']);
  });

  it('comes back from the archive, once', () => {
    const entry = putData(network, 'old', persistent, EXPIRED);
    const id = ledgerKeyId(entry);
    const evicting = network.close();
    assert.deepEqual(
      evicting.evictedKeys.map(({ type }) => type),
      ['contractData', 'ttl'],
    );
    assert.equal(network.state.peek(id), undefined);
    assert.ok(network.state.archived(id));
    const back = soroban(network, alice, restore(), { readWrite: [entry] });
    const again = soroban(network, bob, restore(), { readWrite: [entry] });
    const applied = network.close([], [back, again]);
    assert.deepEqual(resultsOf(applied), ['txSuccess', 'txSuccess']);
    assert.deepEqual(
      [0, 1].map((at) => metaOf(applied, at).operations[0]?.changes.length),
      [2, 0],
    );
    assert.equal(network.state.archived(id), undefined);
    assert.ok(network.state.peek(id));
  });

  it('that was temporary is gone', () => {
    const entry = putData(network, 'old', temporary, EXPIRED);
    network.close();
    assert.equal(network.state.peek(ledgerKeyId(entry)), undefined);
    assert.equal(network.state.archived(ledgerKeyId(entry)), undefined);
    const malformed = soroban(network, alice, restore(), { readWrite: [entry] });
    const applied = network.apply([], [malformed]);
    assert.equal(operationResult(applied), 'restoreFootprintMalformed');
  });

  it('is not changed while it is live', () => {
    const entry = putData(network, 'new', persistent, network.state.header.ledgerSeq + 1);
    const applied = network.close();
    assert.deepEqual(applied.evictedKeys, []);
    assert.deepEqual(
      network.close().evictedKeys.map(({ type }) => type),
      ['contractData', 'ttl'],
    );
    assert.ok(network.state.archived(ledgerKeyId(entry)));
  });
});

describe('The checks of all Soroban transactions', () => {
  it('come before the first of them runs', () => {
    // What it receives from the first would bring it above its reserve.
    const poor = network.account('poor', { balance: XLM + 50_000_000n });
    const gift = [addressOf(alice), addressOf(poor), amount(900n * XLM)];
    const first = soroban(network, alice, invoke(native, 'transfer', gift, true), {
      readOnly: [instanceKey(native)],
      readWrite: [accountKey(alice), accountKey(poor)],
    });
    const second = soroban(network, poor, invoke(contract.id, 'nop'), {
      readOnly: [contract.instance, contract.code],
      resourceFee: 50_000_000n,
    });
    const applied = network.apply([], [first, second]);
    assert.deepEqual(resultsOf(applied), ['txSuccess', 'txInsufficientBalance']);
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { invoke, soroban } from '../../../test/helpers/testContracts.ts';
import { NETWORK_ID, pay, TestNetwork, XLM } from '../../../test/helpers/testNetwork.ts';
import type { LocalKey } from '../../genesis/index.ts';
import { type LedgerMoment, ParsedTransaction } from '../../transaction/index.ts';
import { TransactionQueue } from './transactionQueue.ts';

/** Operations of a ledger; the queue holds those of two. */
const LEDGER = 2;

let network: TestNetwork;
let queue: TransactionQueue;
let sink: LocalKey;

beforeEach(async () => {
  network = await TestNetwork.open();
  change({ maxTxSetSize: LEDGER });
  sink = network.account('sink');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) network.account(name);
  queue = new TransactionQueue(network.engine);
});

const change = (fields: { readonly maxTxSetSize?: number; readonly ledgerSeq?: number }): void => {
  network.state.header = new xdr.LedgerHeader({ ...network.state.header, ...fields });
};

const moment = (): LedgerMoment => {
  const { ledgerSeq, scpValue } = network.state.header;
  const { closeTime } = scpValue;
  return { ledgerSeq: ledgerSeq + 1, closeTime, latestCloseTime: closeTime };
};

/** A payment with this bid for each of its operations. */
const bidding = (name: string, bid: number, operations = 1): ParsedTransaction =>
  new ParsedTransaction(
    NETWORK_ID,
    network.signed({
      source: network.account(name),
      operations: Array(operations).fill(pay(sink, XLM)),
      fee: BigInt(bid * operations),
    }),
  );

const submit = (tx: ParsedTransaction) => queue.submit(tx, moment());
const send = (name: string, bid: number, operations = 1) => submit(bidding(name, bid, operations));
const bids = (): number[] =>
  queue
    .waiting()
    .map(({ tx }) => Number(tx.fee))
    .sort((one, other) => one - other);

/** As if ledgers had closed without taking anything. */
const pass = (ledgers: number): void => {
  for (let count = 0; count < ledgers; count += 1) {
    change({ ledgerSeq: network.state.header.ledgerSeq + 1 });
    queue.weed(moment());
  }
};

describe('a full queue', () => {
  beforeEach(() => {
    for (const [name, bid] of [
      ['a', 300],
      ['b', 200],
      ['c', 400],
      ['d', 500],
    ] as const) {
      assert.equal(send(name, bid).status, 'PENDING');
    }
  });

  it('drops the lowest bid for a higher one', () => {
    assert.equal(send('e', 201).status, 'PENDING');
    assert.deepEqual(bids(), [201, 300, 400, 500]);
  });

  it('refuses a bid that is not higher, and names the minimum', () => {
    for (const bid of [100, 200]) {
      const answer = send('e', bid);
      assert.equal(answer.status, 'ERROR');
      assert.ok(answer.status === 'ERROR');
      assert.deepEqual(
        [answer.result.result.type, answer.result.feeCharged],
        ['txInsufficientFee', 201n],
      );
    }
    assert.deepEqual(bids(), [200, 300, 400, 500]);
  });

  it('drops as many as the new one’s operations need, or none', () => {
    const answer = send('e', 250, 2);
    assert.ok(answer.status === 'ERROR');
    assert.equal(answer.result.feeCharged, 601n);
    assert.deepEqual(bids(), [200, 300, 400, 500]);
    assert.equal(send('f', 301, 2).status, 'PENDING');
    assert.deepEqual(bids(), [400, 500, 602]);
  });

  it('drops nothing for an invalid transaction', () => {
    const unsigned = new ParsedTransaction(
      NETWORK_ID,
      network.signed({ source: network.account('e'), operations: [pay(sink, XLM)], fee: 900n }, []),
    );
    assert.equal(submit(unsigned).status, 'ERROR');
    assert.deepEqual(bids(), [200, 300, 400, 500]);
  });

  it('answers TRY_AGAIN_LATER for dropped or refused ones, for ten ledgers', () => {
    const dropped = queue.waiting().find(({ tx }) => tx.fee === 200n)?.tx;
    const refused = bidding('e', 100);
    assert.ok(dropped);
    assert.equal(submit(refused).status, 'ERROR');
    assert.equal(send('f', 600).status, 'PENDING');
    for (const { tx } of queue.waiting()) queue.drop(tx.hash.toString('hex'));
    pass(9);
    assert.equal(submit(dropped).status, 'TRY_AGAIN_LATER');
    assert.equal(submit(refused).status, 'TRY_AGAIN_LATER');
    pass(1);
    assert.equal(submit(dropped).status, 'PENDING');
    assert.equal(submit(refused).status, 'PENDING');
  });
});

describe('a transaction that no ledger included', () => {
  it('is dropped after four ledgers, and TRY_AGAIN_LATER for ten', () => {
    const tx = bidding('a', 100);
    assert.equal(submit(tx).status, 'PENDING');
    pass(3);
    assert.equal(submit(tx).status, 'DUPLICATE');
    pass(1);
    assert.equal(queue.size, 0);
    assert.equal(submit(tx).status, 'TRY_AGAIN_LATER');
    pass(9);
    assert.equal(submit(tx).status, 'TRY_AGAIN_LATER');
    pass(1);
    assert.equal(submit(tx).status, 'PENDING');
  });

  it('can be sent again at once after svc_dropTransaction', () => {
    const tx = bidding('a', 100);
    assert.equal(submit(tx).status, 'PENDING');
    assert.equal(queue.drop(tx.hash.toString('hex')), 1);
    assert.equal(submit(tx).status, 'PENDING');
  });
});

describe('a contract call that declares more than a transaction may use', () => {
  it('is an error even while another one of its source waits', () => {
    assert.equal(send('a', 100).status, 'PENDING');
    const call = (instructions: number) =>
      soroban(
        network,
        network.account('a'),
        invoke(new xdr.ContractId(new Uint8Array(32)), 'run'),
        { instructions },
      );
    const modest = submit(new ParsedTransaction(NETWORK_ID, call(1_000_000)));
    assert.equal(modest.status, 'TRY_AGAIN_LATER');
    const greedy = submit(new ParsedTransaction(NETWORK_ID, call(4_000_000_000)));
    assert.ok(greedy.status === 'ERROR');
    assert.equal(greedy.result.result.type, 'txSorobanInvalid');
  });
});

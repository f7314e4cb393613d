import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { contractEvent } from '../../../test/support/events.ts';
import { resources } from '../../../test/support/resources.ts';
import { type RpcReply, startScriptedRpc } from '../../../test/support/scriptedRpc.ts';
import { testClock } from '../../../test/support/testClock.ts';
import { connectNetwork, RpcError } from './index.ts';

const open: { close(): unknown }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

async function networkOf(script: (method: string, call: number) => RpcReply) {
  let calls = 0;
  const rpc = await startScriptedRpc((method) => script(method, ++calls));
  const clock = testClock();
  const network = connectNetwork({ url: rpc.url, certificateAuthority: null }, clock);
  open.push(rpc, network);
  return { rpc, clock, network };
}

describe('A simulation', () => {
  const success = {
    latestLedger: 1_000,
    minResourceFee: '60000',
    transactionData: resources(60_000n).toXdr('base64'),
    events: [contractEvent().toXdr('base64')],
    results: [{ auth: [], xdr: 'AAAAAQ==' }],
  };
  const simulate = async (result: unknown) => {
    const { network } = await networkOf(() => ({ result }));
    return network.simulate('AAAA');
  };

  it('that succeeds returns fee, resources, events and the ledger it ran on', async () => {
    const simulation = await simulate(success);
    assert.ok(simulation.status === 'success');
    assert.equal(simulation.minResourceFee, 60_000n);
    assert.equal(simulation.latestLedger, 1_000);
    assert.ok(simulation.events[0]?.equals(contractEvent()));
  });

  it('returns only events of contracts, whether or not they name the contract', async () => {
    const nameless = contractEvent({ contract: null });
    const told = [
      contractEvent({ type: xdr.ContractEventType.diagnostic }),
      contractEvent(),
      contractEvent({ type: xdr.ContractEventType.system }),
      nameless,
      contractEvent({ type: xdr.ContractEventType.diagnostic, contract: null }),
    ];
    const events = told.map((event) => event.toXdr('base64'));
    const simulation = await simulate({ ...success, events });
    assert.ok(simulation.status === 'success');
    assert.deepEqual(
      simulation.events.map((event) => event.toXdr('base64')),
      [contractEvent(), nameless].map((event) => event.toXdr('base64')),
    );
  });

  it("that fails returns the reason in the host's wording", async () => {
    assert.deepEqual(await simulate({ latestLedger: 7, error: 'HostError: x' }), {
      status: 'failure',
      latestLedger: 7,
      error: 'HostError: x',
    });
  });

  it('that needs restored entries does not count as a success', async () => {
    const restorePreamble = { minResourceFee: '1', transactionData: 'AAAA' };
    assert.equal((await simulate({ ...success, restorePreamble })).status, 'restore');
  });

  it('of another form is not a simulation', async () => {
    for (const wrong of [
      {},
      { latestLedger: 1 },
      { ...success, minResourceFee: 'x' },
      { ...success, minResourceFee: undefined },
      { ...success, transactionData: 'AAAA' },
      { ...success, events: ['AAAA'] },
    ]) {
      await assert.rejects(simulate(wrong), (error) => {
        assert.ok(error instanceof RpcError);
        return error.code === 'bad_answer';
      });
    }
  });
});

describe('[spec: Limits/Transient-failure retry] A read is tried twice, 6 seconds apart', () => {
  it('if no response arrives', async () => {
    const answer = { result: { latestLedger: 1, error: 'x' } };
    const { network, clock, rpc } = await networkOf((_, call) => (call === 1 ? 'reset' : answer));
    assert.equal((await network.simulate('AAAA')).status, 'failure');
    assert.deepEqual(clock.slept, [6_000]);
    assert.equal(rpc.calls.length, 2);
  });

  it('but not if the response is a refusal', async () => {
    const { network, rpc } = await networkOf(() => ({ error: { code: -32_602, message: 'x' } }));
    await assert.rejects(network.simulate('AAAA'), RpcError);
    assert.equal(rpc.calls.length, 1);
  });
});

describe('The time a ledger takes', () => {
  const every = (seconds: number) => (method: string) => {
    assert.equal(method, 'getLedgers');
    const ledgers = Array.from({ length: 20 }, (_, index) => ({
      sequence: 981 + index,
      ledgerCloseTime: `${1_000 + index * seconds}`,
    }));
    return { result: { ledgers } };
  };
  async function measured(script: (method: string) => RpcReply) {
    const { network, rpc, clock } = await networkOf(script);
    const first = network.ledgerSeconds(1_000);
    while (rpc.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { first, later: network.ledgerSeconds(1_000), rpc, clock, network };
  }

  it('is 5 seconds until it is measured, and measuring it delays nobody', async () => {
    const { first, later } = await measured(every(2));
    assert.deepEqual([first, later], [5, 2]);
  });

  it('is at most 5: a slow network must not shorten the validity that buyers may sign', async () => {
    assert.equal((await measured(every(600))).later, 5);
  });

  it('is at least 1', async () => {
    assert.equal((await measured(every(0))).later, 1);
  });

  it('stays unchanged when the server does not report it', async () => {
    assert.equal((await measured(() => 'reset')).later, 5);
    assert.equal((await measured(() => ({ result: { ledgers: [] } }))).later, 5);
  });

  it('is measured once a minute', async () => {
    const { network, rpc, clock } = await measured(every(2));
    for (let i = 0; i < 5; i++) network.ledgerSeconds(1_000);
    assert.equal(rpc.calls.length, 1);
    clock.advance(61_000);
    network.ledgerSeconds(1_000);
    while (rpc.calls.length === 1) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(rpc.calls.length, 2);
  });
});

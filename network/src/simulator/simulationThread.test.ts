import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { testContract } from '../../test/helpers/testContract.ts';
import { invoke, putTestContract } from '../../test/helpers/testContracts.ts';
import { TestNetwork } from '../../test/helpers/testNetwork.ts';
import { encodeXdr } from '../xdr/index.ts';
import { Simulator } from './simulator.ts';

const PROGRAM = {
  from: import.meta.url,
  source: '../../test/helpers/failingSimulations.ts',
  bundle: '',
};

describe('a simulation thread that a simulation kills', () => {
  let simulator: Simulator;
  let simulate: (format: string) => Promise<unknown>;
  before(async () => {
    const network = await TestNetwork.open({ protocol: 27 });
    const contract = putTestContract(network, 27, 2_000_000, testContract(27));
    const alice = network.account('alice');
    const body = invoke(contract.id, 'nop');
    assert.ok(body.type === 'invokeHostFunction');
    const simulation = {
      hostFunction: encodeXdr(body.invokeHostFunctionOp.hostFunction),
      sourceAccount: encodeXdr(alice.publicKey),
      auth: { mode: 'record', allowNonRoot: false, addressV2: false },
      prngSeed: createHash('sha256').update('seed').digest(),
      instructionLeeway: 0,
      diagnostics: true,
    } as const;
    simulator = new Simulator(network.engine, () => false, PROGRAM);
    simulate = async (format) => {
      const done = await simulator.simulate(simulation, { format, withOutcome: false }, (read) =>
        read(),
      );
      return done.kind === 'rendered' ? done.text : undefined;
    };
  });
  after(() => simulator.close());

  const ends = {
    exit: 'the simulation was stopped; try again',
    fill: 'the simulation needs too much memory and was stopped',
    throw: 'nothing can be rendered',
  };
  for (const [format, message] of Object.entries(ends)) {
    it(`fails that simulation alone: ${format}`, async () => {
      const [failed, waiting] = await Promise.allSettled([simulate(format), simulate('')]);
      assert.ok(failed.status === 'rejected');
      assert.equal(failed.reason.message, message);
      assert.deepEqual(waiting, { status: 'fulfilled', value: '1000' });
      assert.equal(await simulate(''), '1000');
    });
  }
});

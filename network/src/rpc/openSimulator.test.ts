import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { talkativeContract } from '../../test/helpers/testContract.ts';
import {
  addressOf,
  amount,
  invoke,
  putNativeContract,
  putTestContract,
} from '../../test/helpers/testContracts.ts';
import { PROTOCOLS } from '../../test/helpers/testHost.ts';
import { pay, TestNetwork } from '../../test/helpers/testNetwork.ts';
import { entryReader } from '../close/index.ts';
import type { SimulationAuth } from '../host/index.ts';
import { type Simulation, type Simulator, SimulatorError } from '../simulator/index.ts';
import type { WatchReads } from '../state/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { openSimulator } from './openSimulator.ts';
import { invocationAnswer } from './simulationAnswer.ts';
import type { XdrFormat } from './xdrFormat.ts';

const FAR = 2_000_000;
const directly: WatchReads = (read) => read();
const symbol = (name: string): xdr.ScVal => xdr.ScVal.scvSymbol(name);
const list = (...items: xdr.ScVal[]): xdr.ScVal => xdr.ScVal.scvVec(items);
const RECORD: SimulationAuth = { mode: 'record', allowNonRoot: false, addressV2: false };

/** A network with a talkative contract and the native asset, and what of it is simulated. */
async function openScene(protocol: number, contractLiveUntil = FAR) {
  const network = await TestNetwork.open({ protocol });
  const code = talkativeContract(protocol);
  const contract = putTestContract(network, protocol, contractLiveUntil, code);
  const native = putNativeContract(network, FAR);
  const [alice, bob] = [network.account('alice'), network.account('bob')];
  const { engine } = network;
  const other = (id: xdr.ContractId): xdr.ScVal =>
    xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeContract(id));
  const transfer = (stroops: bigint): xdr.ScVal[] => [
    addressOf(alice),
    addressOf(bob),
    amount(stroops),
  ];
  const long = list(...Array.from({ length: 200 }, (_, at) => xdr.ScVal.scvU32(at)));
  const simulation = (
    body: xdr.OperationBody,
    auth: SimulationAuth = RECORD,
    leeway = 0,
  ): Simulation => {
    assert.ok(body.type === 'invokeHostFunction');
    return {
      hostFunction: encodeXdr(body.invokeHostFunctionOp.hostFunction),
      sourceAccount: encodeXdr(alice.publicKey),
      auth,
      prngSeed: createHash('sha256').update('seed').digest(),
      instructionLeeway: leeway,
      diagnostics: true,
    };
  };
  const upload = xdr.OperationBody.invokeHostFunction(
    new xdr.InvokeHostFunctionOp({
      hostFunction: xdr.HostFunction.hostFunctionTypeUploadContractWasm(code),
      auth: [],
    }),
  );
  const forward = (name: string, called: string, args: xdr.ScVal[]): xdr.OperationBody =>
    invoke(contract.id, name, [other(native), symbol(called), list(...args)]);
  const calls: Readonly<Record<string, Simulation>> = {
    'a payment': simulation(invoke(native, 'transfer', transfer(5n))),
    'a payment with leeway': simulation(invoke(native, 'transfer', transfer(5n)), RECORD, 90_000),
    'a payment that the source may not make': simulation(invoke(native, 'transfer', transfer(5n)), {
      mode: 'enforce',
      entries: [],
    }),
    'a payment of more than there is': simulation(invoke(native, 'transfer', transfer(10n ** 17n))),
    'a call of nothing': simulation(invoke(native, 'nothing')),
    'a call of a contract that is not there': simulation(
      invoke(new xdr.ContractId(new Uint8Array(32).fill(9)), 'nop'),
    ),
    'a call of a stranger’s contract': simulation(invoke(contract.id, 'nop')),
    'random numbers': simulation(invoke(contract.id, 'random')),
    'a call that a stranger’s contract makes': simulation(
      forward('forward', 'transfer', transfer(7n)),
    ),
    'the same, recorded below the root': simulation(forward('forward', 'transfer', transfer(7n)), {
      mode: 'record',
      allowNonRoot: true,
      addressV2: true,
    }),
    'a call that a stranger’s contract fails by': simulation(forward('forward', 'nothing', [])),
    'a failure that a stranger’s contract survives': simulation(forward('attempt', 'nothing', [])),
    'what never ends': simulation(invoke(contract.id, 'spin')),
    'what never ends, below another call': simulation(
      invoke(contract.id, 'attempt', [other(contract.id), symbol('spin'), list()]),
    ),
    'more events than the brief budget has room for': simulation(
      forward('repeat', 'nothing', [long]),
    ),
    'the same with a failure in the end': simulation(forward('repeat_fail', 'nothing', [long])),
    'an upload': simulation(upload),
  };
  /** The answer with the outcome of the network's own host, in this thread. */
  const alone = (one: Simulation, format: XdrFormat = 'base64'): string => {
    const { header } = network.state;
    const ledger = { sequence: header.ledgerSeq, closeTime: header.scpValue.closeTime };
    const outcome = engine
      .environment()
      .host.simulateInvoke({ ...one, ledger, read: entryReader(network.state) });
    return JSON.stringify(invocationAnswer(outcome, ledger.sequence, format));
  };
  return { network, engine, calls, alone, alice, bob };
}

/** The answer with the outcome that the simulator has. */
async function answer(
  simulator: Simulator,
  one: Simulation | undefined,
  format: XdrFormat = 'base64',
  watch: WatchReads = directly,
): Promise<string> {
  assert.ok(one);
  const simulated = await simulator.simulate(one, { format, withOutcome: false }, watch);
  return simulated.kind === 'rendered'
    ? simulated.text
    : JSON.stringify(invocationAnswer(simulated.outcome, simulated.sequence, format));
}

for (const protocol of PROTOCOLS) {
  describe(`A simulation, protocol ${protocol}`, () => {
    it('has the same answer as the network’s own host, wherever it runs', async () => {
      const { engine, calls, alone } = await openScene(protocol);
      const simulator = openSimulator(engine, () => false);
      try {
        for (const [name, call] of Object.entries(calls)) {
          for (const format of ['base64', 'json'] as const) {
            assert.equal(await answer(simulator, call, format), alone(call, format), name);
          }
        }
      } finally {
        await simulator.close();
      }
    });

    it('runs in this thread if the contract is one of the project’s own', async () => {
      const { engine, calls, alone } = await openScene(protocol);
      const simulator = openSimulator(engine, () => true);
      const short = Object.entries(calls).filter(([name]) => !/events|end/.test(name));
      for (const [name, call] of short) {
        const simulated = await simulator.simulate(
          call,
          { format: 'base64', withOutcome: false },
          directly,
        );
        assert.equal(simulated.kind, 'outcome', name);
        assert.equal(await answer(simulator, call), alone(call), name);
      }
      assert.ok(short.length > 10);
    });
  });
}

describe('A simulation that reads archived entries', () => {
  it('restores them, as the network’s own host does', async () => {
    const { engine, calls, alone } = await openScene(27, 900);
    const simulator = openSimulator(engine, () => false);
    try {
      for (const name of ['a call of a stranger’s contract', 'what never ends']) {
        const call = calls[name];
        assert.ok(call);
        assert.equal(await answer(simulator, call), alone(call), name);
      }
    } finally {
      await simulator.close();
    }
  });
});

describe('A simulation that takes long', () => {
  const open = async () => {
    const scene = await openScene(27);
    const { calls } = scene;
    const simulator = openSimulator(scene.engine, () => false);
    const spin = calls['what never ends'];
    const forwarded = calls['a call that a stranger’s contract makes'];
    assert.ok(spin && forwarded);
    return { ...scene, simulator, spin, forwarded };
  };
  let shared: Awaited<ReturnType<typeof open>>;
  before(async () => {
    shared = await open();
  });
  after(() => shared.simulator.close());

  for (const name of ['what never ends', 'more events than the brief budget has room for']) {
    it(`does not block the serving thread: ${name}`, async () => {
      const { simulator, calls } = shared;
      const call = calls[name];
      await answer(simulator, call);
      let turns = 0;
      const turn = setInterval(() => {
        turns += 1;
      }, 1);
      await answer(simulator, call);
      clearInterval(turn);
      assert.ok(turns >= 5, `${turns} turns`);
    });
  }

  it('names the ledger that it ran on, and read all entries from it', async () => {
    const { simulator, network, alone, forwarded, alice, bob } = shared;
    const close = () =>
      network.close([network.signed({ source: alice, operations: [pay(bob, 1n)] })]);
    const first = alone(forwarded);
    // It has begun, and waits for entries.
    const running = answer(simulator, forwarded);
    close();
    close();
    const text = await running;
    assert.notEqual(text, first);
    assert.equal(text, alone(forwarded));
  });

  it('ends with the network, and so do waiting ones', async () => {
    const { simulator, spin } = await open();
    const runs = Array.from({ length: 3 }, () => answer(simulator, spin));
    const ended = Promise.allSettled(runs);
    await simulator.close();
    for (const one of await ended) {
      assert.ok(one.status === 'rejected' && one.reason instanceof SimulatorError);
      assert.equal(one.reason.code, 'STOPPED');
    }
    await assert.rejects(answer(simulator, spin), { code: 'STOPPED' });
  });

  it('is refused if 64 others already wait', async () => {
    const { simulator, spin } = await open();
    const runs = Array.from({ length: 66 }, () => answer(simulator, spin));
    const ended = Promise.allSettled(runs);
    await assert.rejects(Promise.race([runs.at(-1), ended]), { code: 'BUSY' });
    await simulator.close();
    await ended;
  });

  it('fails with the error of reading an entry, and the next one succeeds', async () => {
    const { simulator, spin, alone } = shared;
    let reads = 0;
    // The first two are those of the brief run.
    const failing: WatchReads = (read) => {
      reads += 1;
      if (reads > 2) throw new Error('disk');
      return read();
    };
    await assert.rejects(answer(simulator, spin, 'base64', failing), { message: 'disk' });
    assert.equal(await answer(simulator, spin), alone(spin));
  });
});

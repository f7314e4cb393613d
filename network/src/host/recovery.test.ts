import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { testContract } from '../../test/helpers/testContract.ts';
import { newHost, PROTOCOLS } from '../../test/helpers/testHost.ts';
import {
  addressVal,
  invokeContract,
  keypair,
  publicKey,
  TestLedger,
} from '../../test/helpers/testLedger.ts';
import { testSettings } from '../../test/helpers/testSettings.ts';
import { HostCallError, loadHost } from './index.ts';
import type { InvokeRequest } from './types.ts';

const [alice, bob] = [keypair('alice'), keypair('bob')];
const GARBAGE = [new Uint8Array(), new Uint8Array(5), new Uint8Array(1000).fill(255)];

async function prepare(protocol: number) {
  const host = await newHost(protocol);
  const ledger = TestLedger.withUsdc(host, alice, bob);
  const transfer = ledger.transfer(alice, bob, 1n);
  const simulation = ledger.simulate(transfer, alice);
  assert.ok(simulation.ok);
  const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData);
  const request = ledger.request(transfer, alice, data, simulation.auth);
  return { host, ledger, transfer, request };
}

/** A call whose one argument is a list in a list in a list, written by hand because no library encodes it. */
function nestedCall(contract: string, depth: number): Uint8Array {
  const call = invokeContract(contract, 'balance', xdr.ScVal.scvVoid()).toXdr();
  const vecOfOne = Uint8Array.of(0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 1);
  const vecs = Array.from({ length: depth }, () => vecOfOne);
  return Buffer.concat([call.subarray(0, -4), ...vecs, call.subarray(-4)]);
}

const code = (expected: string) => (error: unknown) =>
  error instanceof HostCallError && error.code === expected;

for (const protocol of PROTOCOLS) {
  describe(`A trap costs the instance and nothing else, protocol ${protocol}`, () => {
    it('is named, and the next call answers like the last one before it', async () => {
      const { host, request } = await prepare(protocol);
      host.cacheModule(testContract(protocol));
      const before = host.invoke(request);
      assert.match(host.provokeTrap(), /unreachable.*a panic was asked for/s);
      assert.equal(host.replacements, 1);
      assert.deepEqual(host.invoke(request), before);
      assert.deepEqual(host.invoke(request), before);
      assert.equal(host.replacements, 1);
    });

    it('keeps cached contracts cached', async () => {
      const host = await newHost(protocol);
      const ledger = new TestLedger(host);
      ledger.addAccount(alice);
      const nop = invokeContract(ledger.deploy(testContract(protocol), alice), 'nop');
      const simulation = ledger.simulate(nop, alice);
      assert.ok(simulation.ok);
      const request = ledger.request(
        nop,
        alice,
        xdr.SorobanTransactionData.fromXdr(simulation.transactionData),
        [],
      );
      const warm = host.invoke(request).cpuInstructions;
      host.provokeTrap();
      assert.equal(host.invoke(request).cpuInstructions, warm);
      host.clearModuleCache();
      host.provokeTrap();
      assert.ok(host.invoke(request).cpuInstructions > warm);
    });

    it('is survived when the stack of the caller runs out inside the module', async () => {
      const host = await newHost(protocol);
      const ledger = new TestLedger(host);
      ledger.addAccount(alice);
      // Contracts that call contracts need the most stack.
      const code = testContract(protocol);
      const chain = Array.from({ length: 12 }, () => ledger.deploy(code, alice));
      const [first = '', ...others] = chain;
      const [name, list] = [xdr.ScVal.scvSymbol, (items: xdr.ScVal[]) => xdr.ScVal.scvVec(items)];
      let args = [addressVal(others.pop() ?? ''), name('nop'), list([])];
      for (const contract of others.reverse()) {
        args = [addressVal(contract), name('forward'), list(args)];
      }
      const fn = invokeContract(first, 'forward', ...args);
      const simulation = ledger.simulate(fn, alice);
      assert.ok(simulation.ok);
      const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData);
      const request = ledger.request(fn, alice, data, []);
      // What is compiled already needs no stack for that at the wrong moment.
      host.provokeTrap();
      const before = host.invoke(request);
      assert.ok(before.ok);

      const seen = new Set<string>();
      const burrow = (depth: number): void => {
        if (depth > 0) {
          burrow(depth - 1);
          return;
        }
        const outcome = host.invoke(request);
        seen.add(outcome.ok ? 'ok' : `${outcome.error.kind}: ${outcome.error.summary}`);
      };
      for (let depth = 0; !seen.has('caller'); depth += 10) {
        try {
          burrow(depth);
        } catch (error) {
          // Above the module, the caller's own recursion is the caller's affair.
          assert.ok(error instanceof RangeError);
          seen.add('caller');
        }
      }
      // Where exactly it ran out is the engine's affair: it shows as a trap, or as the caller's own error when even the
      // answer found no room. Either way an instance was lost in the middle of its work.
      assert.ok(seen.has('ok'));
      assert.ok(host.replacements > 1);
      assert.deepEqual(host.invoke(request), before);
    });
  });

  describe(`Malformed input is answered, protocol ${protocol}`, () => {
    it('in every field of an invocation', async () => {
      const { host, request } = await prepare(protocol);
      const before = host.invoke(request);
      const entry = request.footprint.find((item) => item !== null) ?? null;
      assert.ok(entry !== null);
      for (const junk of GARBAGE) {
        const requests: InvokeRequest[] = [
          { ...request, hostFunction: junk },
          { ...request, resources: junk },
          { ...request, sourceAccount: junk },
          { ...request, auth: [junk] },
          { ...request, footprint: [{ ...entry, entry: junk }] },
          { ...request, footprint: [] },
          { ...request, restoredIndices: [7, 4294967295] },
          { ...request, prngSeed: junk },
          { ...request, instructions: -1 },
        ];
        for (const wrong of requests) {
          const outcome = host.invoke(wrong);
          assert.ok(!outcome.ok);
          assert.notEqual(outcome.error.kind, 'trap', outcome.error.summary);
        }
      }
      assert.equal(host.replacements, 0);
      assert.deepEqual(host.invoke(request), before);
    });

    it('in every field of a simulation', async () => {
      const { host, ledger, transfer } = await prepare(protocol);
      const request = {
        ledger: { sequence: 1000, closeTime: 0n },
        hostFunction: transfer.toXdr(),
        sourceAccount: publicKey(alice).toXdr(),
        auth: { mode: 'record', allowNonRoot: false, addressV2: false },
        prngSeed: new Uint8Array(32),
        instructionLeeway: 0,
        diagnostics: true,
        read: ledger.read,
      } as const;
      assert.ok(host.simulateInvoke(request).ok);
      for (const junk of GARBAGE) {
        for (const wrong of [
          { ...request, hostFunction: junk },
          { ...request, sourceAccount: junk },
          { ...request, auth: { mode: 'enforce', entries: [junk] } },
          { ...request, prngSeed: junk },
          { ...request, read: () => ({ entry: junk, liveUntil: 5000 }) },
        ] as const) {
          const outcome = host.simulateInvoke(wrong);
          assert.ok(!outcome.ok);
          assert.equal(outcome.error.kind, 'badInput');
        }
        const footprint = { ledger: request.ledger, keys: [junk], extendTo: 1, read: ledger.read };
        for (const outcome of [
          host.simulateExtendTtl(footprint),
          host.simulateRestore(footprint),
        ]) {
          assert.ok(!outcome.ok);
          assert.equal(outcome.error.kind, 'badInput');
        }
        assert.throws(() => host.sizeForRent(junk), code('BAD_INPUT'));
        assert.throws(() => host.uncacheModule(junk), code('BAD_INPUT'));
      }
      assert.equal(host.replacements, 0);
    });

    it('when values are nested deeper than the protocol allows, however deep', async () => {
      const { host, ledger, request } = await prepare(protocol);
      for (const depth of [1, 90, 200, 490, 600, 5000, 100_000]) {
        const outcome = host.invoke({
          ...request,
          hostFunction: nestedCall(ledger.contract, depth),
        });
        assert.ok(!outcome.ok);
        assert.equal(outcome.error.kind, 'host', `${depth}: ${outcome.error.summary}`);
      }
      assert.equal(host.replacements, 0);
    });

    it('if it is a valid request with some bytes changed', async () => {
      const { host, request } = await prepare(protocol);
      const noise = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(
          fc.constantFrom('hostFunction', 'resources', 'auth', 'entry'),
          noise,
          (field, changes) => {
            const spoil = (bytes: Uint8Array) => {
              const copy = bytes.slice();
              for (const [at, value] of changes) {
                copy[at % copy.length] = value;
              }
              return copy;
            };
            const spoilt = {
              ...request,
              ...(field === 'hostFunction' ? { hostFunction: spoil(request.hostFunction) } : {}),
              ...(field === 'resources' ? { resources: spoil(request.resources) } : {}),
              ...(field === 'auth' ? { auth: request.auth.map(spoil) } : {}),
              ...(field === 'entry'
                ? { footprint: request.footprint.map((f) => f && { ...f, entry: spoil(f.entry) }) }
                : {}),
            };
            const outcome = host.invoke(spoilt);
            assert.ok(
              outcome.ok || outcome.error.kind !== 'trap',
              outcome.ok ? '' : outcome.error.summary,
            );
          },
        ),
        { numRuns: 300 },
      );
    });
  });

  describe(`The reader of a simulation, protocol ${protocol}`, () => {
    it('can throw: its error is passed on, and the host still works', async () => {
      const { host, ledger, transfer } = await prepare(protocol);
      const broken = new Error('the disk is gone');
      const spoilt = new TestLedger(host);
      Object.assign(spoilt, {
        read: () => {
          throw broken;
        },
      });
      assert.throws(
        () => spoilt.simulate(transfer, alice),
        (e) => e === broken,
      );
      assert.ok(ledger.simulate(transfer, alice).ok);
      assert.equal(host.replacements, 0);
    });

    it('must not call the host that it reads for', async () => {
      const { host, ledger, transfer, request } = await prepare(protocol);
      const curious = new TestLedger(host);
      Object.assign(curious, {
        read: () => {
          host.invoke(request);
          return null;
        },
      });
      assert.throws(() => curious.simulate(transfer, alice), code('BAD_INPUT'));
      assert.ok(ledger.simulate(transfer, alice).ok);
    });

    it('is asked for each key once, so that a simulation sees one state', async () => {
      const { host, ledger, transfer } = await prepare(protocol);
      const asked: string[] = [];
      const counting = new TestLedger(host);
      Object.assign(counting, {
        read: (key: Uint8Array) => {
          asked.push(Buffer.from(key).toString('hex'));
          return ledger.read(key);
        },
      });
      assert.ok(counting.simulate(transfer, alice).ok);
      assert.ok(asked.length > 2);
      assert.equal(new Set(asked).size, asked.length);
    });
  });

  describe(`Setting the host up, protocol ${protocol}`, () => {
    it('comes first', async () => {
      const { request } = await prepare(protocol);
      const host = await newHost(protocol);
      assert.throws(() => host.invoke(request), code('NOT_CONFIGURED'));
    });

    it('is refused if a setting is missing or invalid, and then leaves the old settings in force', async () => {
      const { host, request } = await prepare(protocol);
      const before = host.invoke(request);
      const all = testSettings().map((s) => s.toXdr());
      for (const settings of [[], all.slice(1, 5), ...GARBAGE.map((junk) => [...all, junk])]) {
        assert.throws(
          () => host.configure({ networkId: new Uint8Array(32), baseReserve: 1, settings }),
          code('BAD_CONFIG'),
        );
      }
      assert.deepEqual(host.invoke(request), before);
    });

    it('is refused for bytes that are not a build of the host', async () => {
      const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
      for (const bytes of [empty, new Uint8Array(), Uint8Array.of(1, 2, 3)]) {
        await assert.rejects(loadHost(bytes), code('BAD_MODULE'));
      }
    });
  });
}

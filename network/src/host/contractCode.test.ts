import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Address, scValToNative, xdr } from '@stellar/stellar-sdk';
import { testContract } from '../../test/helpers/testContract.ts';
import { newHost, PROTOCOLS } from '../../test/helpers/testHost.ts';
import {
  addressVal,
  i128,
  invokeContract,
  keypair,
  PASSPHRASE,
  sha256,
  TestLedger,
} from '../../test/helpers/testLedger.ts';
import type { InvokeRequest } from './types.ts';

const owner = keypair('owner');

async function prepare(protocol: number) {
  const host = await newHost(protocol);
  const ledger = new TestLedger(host);
  ledger.addAccount(owner);
  const code = testContract(protocol);
  return { host, ledger, code, contract: ledger.deploy(code, owner) };
}

/** The request of a call whose footprint a simulation of another call gives: for calls that never end. */
function requestOf(ledger: TestLedger, contract: string, name: string, like = name) {
  const simulation = ledger.simulate(invokeContract(contract, like), owner);
  assert.ok(simulation.ok);
  const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData);
  return ledger.request(invokeContract(contract, name), owner, data, []);
}

for (const protocol of PROTOCOLS) {
  describe(`Contracts of one's own, protocol ${protocol}`, () => {
    it('are uploaded, created and called', async () => {
      const { host, ledger, contract } = await prepare(protocol);
      const outcome = host.invoke(requestOf(ledger, contract, 'nop'));
      assert.ok(outcome.ok);
      assert.equal(xdr.ScVal.fromXdr(outcome.returnValue).type, 'scvVoid');
    });

    it('end with an ordinary failure when the instructions run out, and the host continues', async () => {
      const { host, ledger, contract } = await prepare(protocol);
      const spinning = host.invoke(requestOf(ledger, contract, 'spin', 'nop'));
      assert.ok(!spinning.ok);
      assert.equal(spinning.error.kind, 'host');
      assert.equal(spinning.error.summary, 'Error(Budget, ExceededLimit)');
      assert.equal(spinning.error.internal, false);
      assert.ok(spinning.cpuInstructions > 0);
      assert.equal(host.replacements, 0);
      assert.ok(host.invoke(requestOf(ledger, contract, 'nop')).ok);
      const simulated = ledger.simulate(invokeContract(contract, 'spin'), owner);
      assert.ok(!simulated.ok);
      assert.equal(simulated.error.summary, 'Error(Budget, ExceededLimit)');
    });

    it('are cheaper to call once their code is cached, exactly until it is dropped', async () => {
      const { host, ledger, code, contract } = await prepare(protocol);
      const request = requestOf(ledger, contract, 'nop');
      const cost = () => host.invoke(request).cpuInstructions;
      const warm = cost();
      host.uncacheModule(sha256(code));
      const cold = cost();
      host.cacheModule(code);
      assert.equal(cost(), warm);
      assert.ok(warm < cold, `${warm} < ${cold}`);
      host.cacheModule(testContract(protocol, 1));
      assert.equal(cost(), warm);
      host.uncacheModule(sha256(code));
      assert.equal(cost(), cold);
      host.cacheModule(code);
      assert.equal(cost(), warm);
      host.clearModuleCache();
      assert.equal(cost(), cold);
    });

    it('can be cached without being contracts: code that does not parse is left out', async () => {
      const { host, ledger, contract } = await prepare(protocol);
      const request = requestOf(ledger, contract, 'nop');
      const before = host.invoke(request);
      host.cacheModule(Uint8Array.of(0, 1, 2));
      host.cacheModule(new Uint8Array());
      assert.deepEqual(host.invoke(request), before);
    });

    it('see the ledger, the network and the seed that the host was given', async () => {
      const { host, ledger, contract } = await prepare(protocol);
      const ask = (name: string, change: Partial<InvokeRequest> = {}) => {
        const outcome = host.invoke({ ...requestOf(ledger, contract, name), ...change });
        assert.ok(outcome.ok);
        return scValToNative(xdr.ScVal.fromXdr(outcome.returnValue));
      };
      const later = { sequence: 1234, closeTime: 1_790_000_005n };
      assert.equal(ask('sequence'), 1000);
      assert.equal(ask('sequence', { ledger: later }), 1234);
      assert.equal(ask('time', { ledger: later }), 1_790_000_005n);
      assert.equal(ask('last_ledger', { ledger: later }), 1234 + 3_110_400 - 1);
      assert.deepEqual(new Uint8Array(ask('network')), sha256(PASSPHRASE));
      const [one, two] = [sha256('one'), sha256('two')];
      const drawn = ask('random', { prngSeed: one });
      assert.equal(drawn.length, 32);
      assert.deepEqual(ask('random', { prngSeed: one }), drawn);
      assert.notDeepEqual(ask('random', { prngSeed: two }), drawn);
    });

    it('need consent below the root, which simulation records only on request', async () => {
      const host = await newHost(protocol);
      const [payer, payee] = [keypair('payer'), keypair('payee')];
      const ledger = TestLedger.withUsdc(host, payer, payee);
      ledger.addAccount(owner);
      const contract = ledger.deploy(testContract(protocol), owner);
      const args = xdr.ScVal.scvVec([addressVal(payer), addressVal(payee), i128(1n)]);
      const transfer = [addressVal(ledger.contract), xdr.ScVal.scvSymbol('transfer'), args];
      const fn = invokeContract(contract, 'forward', ...transfer);
      const record = (allowNonRoot: boolean) =>
        ledger.simulate(fn, owner, { mode: 'record', allowNonRoot, addressV2: true });
      const refused = record(false);
      assert.ok(!refused.ok);
      assert.equal(refused.error.summary, 'Error(Auth, InvalidAction)');
      const recorded = record(true);
      assert.ok(recorded.ok);
      assert.equal(recorded.auth.length, 1);
    });

    it('show in the event log which calls had failed when the error arose', async () => {
      const { ledger, code, contract } = await prepare(protocol);
      const inner = ledger.deploy(testContract(protocol, 1), owner);
      const middle = ledger.deploy(testContract(protocol, 2), owner);
      assert.ok(code.length > 0);
      const list = (...items: xdr.ScVal[]) => xdr.ScVal.scvVec(items);
      const name = xdr.ScVal.scvSymbol;
      // contract → attempt(middle → forward(inner → missing)): survives; contract → forward(…): fails.
      const failing = list(addressVal(inner), name('missing'), list());
      const survivor = invokeContract(
        contract,
        'attempt',
        addressVal(middle),
        name('forward'),
        failing,
      );
      assert.ok(ledger.simulate(survivor, owner).ok);
      const nested = invokeContract(
        contract,
        'forward',
        addressVal(middle),
        name('forward'),
        failing,
      );
      const outcome = ledger.simulate(nested, owner);
      assert.ok(!outcome.ok);
      const [heading, blank, title, ...log] = outcome.error.message.trimEnd().split('\n');
      assert.deepEqual(
        [heading, blank, title],
        ['HostError: Error(WasmVm, MissingValue)', '', 'Event log (newest first):'],
      );
      // All but the note that comes after the last error.
      assert.equal(log.length, outcome.diagnosticEvents.length - 1);
      const failed = log.filter((line) => line.includes('[Failed Diagnostic Event (not emitted)]'));
      assert.ok(failed.length > 0);
      // Only what the middle and the inner contract recorded had been rolled back by then.
      const outer = new RegExp(`contract:${contract}|topics:\\[fn_call, ${contract}`);
      assert.ok(failed.every((line) => !outer.test(line)));
      assert.ok(log.filter((line) => !failed.includes(line)).every((line) => outer.test(line)));
    });

    it('are charged rent for the size of the code and of the compiled module', async () => {
      const { host, ledger, code } = await prepare(protocol);
      const key = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: sha256(code) }));
      const entry = ledger.read(key.toXdr())?.entry;
      assert.ok(entry !== undefined);
      assert.ok(host.sizeForRent(entry) > entry.length);
      const other = [...ledger.entries.values()].find((e) => e.liveUntil === null)?.entry;
      assert.ok(other !== undefined);
      assert.equal(host.sizeForRent(other), other.length);
    });

    it('that are archived are in the simulated data and are restored by the invocation', async () => {
      const { host, ledger, contract } = await prepare(protocol);
      ledger.sequence += 3_000_000;
      const fn = invokeContract(contract, 'nop');
      const simulation = ledger.simulate(fn, owner);
      assert.ok(simulation.ok);
      const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData);
      assert.ok(data.ext.type === 'resourceExt');
      assert.equal(data.ext.resourceExt.archivedSorobanEntries.length, 2);
      const request = ledger.request(fn, owner, data, []);
      const outcome = host.invoke(request);
      assert.ok(outcome.ok);
      for (const change of outcome.changes) {
        assert.equal(change.oldSizeForRent, 0);
        assert.equal(change.ttl?.oldLiveUntil, 0);
        assert.equal(change.ttl?.newLiveUntil, ledger.sequence + 2_073_600 - 1);
      }
      assert.ok(outcome.rentFee > 0n);
      ledger.commit(outcome);
      const after = ledger.simulate(fn, owner);
      assert.ok(after.ok);
      assert.equal(xdr.SorobanTransactionData.fromXdr(after.transactionData).ext.type, 'v0');
      assert.ok(after.minResourceFee < simulation.minResourceFee);
    });

    it('live longer when extended, for the stated rent fee, and after a restoration when archived', async () => {
      const { host, ledger, contract } = await prepare(protocol);
      const key = new xdr.LedgerKeyContractData({
        contract: new Address(contract).toScAddress(),
        key: xdr.ScVal.scvLedgerKeyContractInstance(),
        durability: xdr.ContractDataDurability.persistent,
      });
      const keys = [xdr.LedgerKey.contractData(key).toXdr()];
      const point = () => ({ sequence: ledger.sequence, closeTime: 1_790_000_000n });
      const extend = (extendTo: number) =>
        host.simulateExtendTtl({ ledger: point(), keys, extendTo, read: ledger.read });

      const live = extend(2_500_000);
      assert.ok(live.ok);
      assert.equal(live.restorePreamble, null);
      const nothingToDo = extend(10);
      assert.ok(nothingToDo.ok);
      const footprint = xdr.SorobanTransactionData.fromXdr(nothingToDo.transactionData).resources
        .footprint;
      assert.equal(footprint.readOnly.length, 0);
      assert.ok(live.minResourceFee > nothingToDo.minResourceFee);

      ledger.sequence += 3_000_000;
      const archived = extend(2_500_000);
      assert.ok(archived.ok && archived.restorePreamble !== null);
      const restored = host.simulateRestore({ ledger: point(), keys, read: ledger.read });
      assert.ok(restored.ok);
      assert.deepEqual(archived.restorePreamble.transactionData, restored.transactionData);
      assert.deepEqual(archived.restorePreamble.minResourceFee, restored.minResourceFee);

      const missing = host.simulateRestore({ ledger: point(), keys, read: () => null });
      assert.ok(!missing.ok);
      assert.match(missing.error.message, /^Missing entry to restore/);
    });
  });
}

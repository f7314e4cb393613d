import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scValToNative, xdr } from '@stellar/stellar-sdk';
import { newHost, PROTOCOLS } from '../../test/helpers/testHost.ts';
import { addressVal, invokeContract, keypair, TestLedger } from '../../test/helpers/testLedger.ts';
import type {
  InvokeOutcome,
  InvokeSuccess,
  SimulateInvokeOutcome,
  SimulateInvokeSuccess,
} from './types.ts';

const [alice, bob, relayer] = [keypair('alice'), keypair('bob'), keypair('relayer')];
const AMOUNT = 250_0000000n;

function succeeded(outcome: InvokeOutcome): InvokeSuccess;
function succeeded(outcome: SimulateInvokeOutcome): SimulateInvokeSuccess;
function succeeded(outcome: InvokeOutcome | SimulateInvokeOutcome) {
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.error.message);
  return outcome;
}

async function prepare(protocol: number) {
  const host = await newHost(protocol);
  const ledger = TestLedger.withUsdc(host, alice, bob);
  ledger.addAccount(relayer);
  const transfer = (amount: bigint) => ledger.transfer(alice, bob, amount);
  const balance = (of: typeof alice): bigint => {
    const query = invokeContract(ledger.contract, 'balance', addressVal(of));
    return scValToNative(xdr.ScVal.fromXdr(succeeded(ledger.simulate(query, relayer)).returnValue));
  };
  /** Records, signs, enforces: the way of every client. */
  const signed = async (fn: xdr.HostFunction) => {
    const recorded = succeeded(ledger.simulate(fn, relayer));
    const auth = await ledger.sign(recorded.auth, alice);
    const enforced = succeeded(ledger.simulate(fn, relayer, { mode: 'enforce', entries: auth }));
    const data = xdr.SorobanTransactionData.fromXdr(enforced.transactionData);
    return { recorded, enforced, auth, data, request: ledger.request(fn, relayer, data, auth) };
  };
  return { host, ledger, transfer, balance, signed };
}

for (const protocol of PROTOCOLS) {
  describe(`A transfer of the asset's contract, protocol ${protocol}`, () => {
    it('is recorded, signed, enforced and invoked, and moves the amount', async () => {
      const { host, ledger, transfer, balance, signed } = await prepare(protocol);
      const { recorded, request } = await signed(transfer(AMOUNT));
      assert.equal(host.protocol, protocol);
      assert.equal(recorded.auth.length, 1);
      const outcome = succeeded(host.invoke(request));
      ledger.commit(outcome);
      assert.equal(balance(alice), 1000_0000000n - AMOUNT);
      assert.equal(balance(bob), AMOUNT);

      const [event, ...others] = outcome.contractEvents.map((e) => xdr.ContractEvent.fromXdr(e));
      assert.ok(event !== undefined && others.length === 0);
      const { topics, data } = event.body.v0;
      assert.deepEqual(topics.map(scValToNative), [
        'transfer',
        alice.publicKey(),
        bob.publicKey(),
        `USDC:${ledger.issuer.publicKey()}`,
      ]);
      assert.equal(scValToNative(data), AMOUNT);
    });

    it('lists each footprint key once, and creates the nonce that forbids a second use', async () => {
      const { host, ledger, transfer, signed } = await prepare(protocol);
      const { request, data } = await signed(transfer(AMOUNT));
      const outcome = succeeded(host.invoke(request));
      const { readOnly, readWrite } = data.resources.footprint;
      const keys = [...readOnly, ...readWrite].map((k) => k.toXdr('hex')).sort();
      assert.deepEqual(outcome.changes.map((c) => Buffer.from(c.key).toString('hex')).sort(), keys);
      const created = outcome.changes.filter(
        (c) => c.newValue !== null && c.oldSizeForRent === 0 && c.ttl !== null,
      );
      assert.deepEqual(
        created
          .map((c) => xdr.LedgerKey.fromXdr(c.key))
          .map((k) => k.type === 'contractData' && k.contractData.key.type),
        ['scvLedgerKeyNonce'],
      );
      assert.ok(outcome.rentFee > 0n);
      ledger.commit(outcome);

      const again = host.invoke(
        request.footprint.length > 0
          ? ledger.request(transfer(AMOUNT), relayer, data, request.auth)
          : request,
      );
      assert.ok(!again.ok);
      assert.equal(again.error.summary, 'Error(Auth, ExistingValue)');
    });

    it('is refused without the authorization, and with a signature for another amount', async () => {
      const { host, ledger, transfer, signed } = await prepare(protocol);
      const { data, auth } = await signed(transfer(AMOUNT));
      for (const entries of [[], auth]) {
        const outcome = host.invoke(ledger.request(transfer(AMOUNT + 1n), relayer, data, entries));
        assert.ok(!outcome.ok);
        assert.equal(outcome.error.kind, 'host');
        assert.equal(outcome.error.internal, false);
        assert.equal(outcome.error.summary, 'Error(Auth, InvalidAction)');
        const error = xdr.ScError.fromXdr(outcome.error.scError);
        assert.equal(error.type, 'sceAuth');
      }
    });

    it('costs the same when repeated, less than in simulations, and less than declared', async () => {
      const { host, ledger, transfer, signed } = await prepare(protocol);
      const { recorded, enforced, request } = await signed(transfer(AMOUNT));
      const outcome = succeeded(host.invoke(request));
      assert.deepEqual(host.invoke(request), outcome);
      assert.ok(outcome.cpuInstructions <= enforced.cpuInstructions);
      assert.ok(outcome.memoryBytes <= enforced.memoryBytes);
      assert.ok(enforced.cpuInstructions <= recorded.cpuInstructions * 1.02);
      assert.ok(enforced.cpuInstructions < request.instructions);
      // Nobody pays for being watched.
      const unwatched = succeeded(host.invoke({ ...request, diagnostics: false }));
      assert.deepEqual(unwatched, { ...outcome, diagnosticEvents: [], calls: [] });
      assert.ok(ledger.entries.size > 0);
    });

    it('records the requested credentials', async () => {
      const { ledger, transfer } = await prepare(protocol);
      for (const [addressV2, type] of [
        [false, 'sorobanCredentialsAddress'],
        [true, 'sorobanCredentialsAddressV2'],
      ] as const) {
        const outcome = succeeded(
          ledger.simulate(transfer(1n), relayer, {
            mode: 'record',
            allowNonRoot: false,
            addressV2,
          }),
        );
        const [entry] = outcome.auth.map((a) => xdr.SorobanAuthorizationEntry.fromXdr(a));
        assert.equal(entry?.credentials.type, type);
      }
    });

    it('simulates with a source account that does not exist', async () => {
      const { ledger, transfer } = await prepare(protocol);
      succeeded(ledger.simulate(transfer(1n), keypair('nobody')));
    });

    it('returns before and after of every entry it would change', async () => {
      const { transfer, signed } = await prepare(protocol);
      const { enforced } = await signed(transfer(AMOUNT));
      const changed = enforced.stateChanges.map((c) => {
        const amount = (e: Uint8Array | null) => {
          const data = e === null ? null : xdr.LedgerEntry.fromXdr(e).data;
          return data?.type === 'trustline' ? data.trustLine.balance : data;
        };
        return {
          type: xdr.LedgerKey.fromXdr(c.key).type,
          before: amount(c.before),
          after: amount(c.after),
        };
      });
      const lines = changed.filter((c) => c.type === 'trustline');
      assert.deepEqual(
        lines.map((c) => [c.before, c.after]).sort((a, b) => Number(a[0]) - Number(b[0])),
        [
          [0n, AMOUNT],
          [1000_0000000n, 1000_0000000n - AMOUNT],
        ],
      );
      const nonces = changed.filter((c) => c.type === 'contractData');
      assert.deepEqual(
        nonces.map((c) => c.before),
        [null],
      );
      assert.equal(changed.length, 3);
    });

    it('answers a failing simulation with the text of Stellar RPC', async () => {
      const { ledger, transfer } = await prepare(protocol);
      const outcome = ledger.simulate(transfer(10n ** 15n), relayer);
      assert.ok(!outcome.ok);
      assert.equal(outcome.error.summary, 'Error(Contract, #10)');
      const lines = outcome.error.message.split('\n');
      assert.deepEqual(lines.slice(0, 3), [
        'HostError: Error(Contract, #10)',
        '',
        'Event log (newest first):',
      ]);
      assert.match(
        lines[3] ?? '',
        new RegExp(
          `^ {3}0: \\[Diagnostic Event\\] contract:${ledger.contract}, topics:\\[error, Error\\(Contract, #10\\)\\]`,
        ),
      );
      assert.match(lines[4] ?? '', /^ {3}1: \[Diagnostic Event\] topics:\[fn_call, /);
      assert.ok(outcome.cpuInstructions > 0 && outcome.diagnosticEvents.length === 2);
    });
  });
}

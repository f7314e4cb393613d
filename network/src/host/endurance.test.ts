import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { newHost, PROTOCOLS } from '../../test/helpers/testHost.ts';
import { keypair, TestLedger } from '../../test/helpers/testLedger.ts';

describe('Long use', () => {
  for (const protocol of PROTOCOLS) {
    it(`leaves the module's memory unchanged after 5,000 calls, protocol ${protocol}`, async () => {
      const [alice, bob] = [keypair('alice'), keypair('bob')];
      const host = await newHost(protocol);
      const ledger = TestLedger.withUsdc(host, alice, bob);
      const transfer = ledger.transfer(alice, bob, 1n);
      const failing = ledger.transfer(alice, bob, -1n);
      const simulation = ledger.simulate(transfer, alice);
      assert.ok(simulation.ok);
      const data = xdr.SorobanTransactionData.fromXdr(simulation.transactionData);
      const request = ledger.request(transfer, alice, data, simulation.auth);
      const failingRequest = { ...request, hostFunction: failing.toXdr() };
      const round = () => {
        assert.ok(ledger.simulate(transfer, alice).ok);
        assert.ok(host.invoke(request).ok);
        assert.ok(!ledger.simulate(failing, alice).ok);
        assert.ok(!host.invoke(failingRequest).ok);
      };
      for (let i = 0; i < 50; i++) {
        round();
      }
      const before = host.memoryBytes;
      for (let i = 0; i < 1250; i++) {
        round();
      }
      assert.equal(host.memoryBytes, before);
      assert.equal(host.replacements, 0);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { modulePath, newHost, PROTOCOLS } from '../../test/helpers/testHost.ts';
import { keypair, TestLedger } from '../../test/helpers/testLedger.ts';
import { HostCallError, HostFile, WasmSorobanHost } from './index.ts';

const alice = keypair('alice');
const bad = (error: unknown) => error instanceof HostCallError && error.code === 'BAD_MODULE';

for (const protocol of PROTOCOLS) {
  describe(`A host that is compiled later, protocol ${protocol}`, () => {
    it('answers as one that was compiled at once, prepared or not', async () => {
      const host = await newHost(protocol);
      const ledger = TestLedger.withUsdc(host, alice);
      const transfer = ledger.transfer(alice, alice, 1n);
      const expected = ledger.simulate(transfer, alice);
      assert.ok(expected.ok);
      for (const prepared of [false, true]) {
        const file = new HostFile(modulePath(protocol), protocol);
        if (prepared) await file.prepare();
        const later = new WasmSorobanHost(file);
        assert.equal(later.protocol, protocol);
        later.clearModuleCache();
        later.configureLater(host.setup.config);
        assert.equal(later.memoryBytes, 0);
        assert.equal(later.setup.config, host.setup.config);
        const changes = [
          {
            persistent: true,
            code: false,
            oldSize: 0,
            newSize: 99,
            oldLiveUntil: 0,
            newLiveUntil: 9,
          },
        ];
        assert.equal(later.rentFee(changes, 1), host.rentFee(changes, 1));
        assert.ok(later.memoryBytes > 0);
        const answer = TestLedger.withUsdc(later, alice).simulate(transfer, alice);
        assert.deepEqual(answer, expected);
      }
    });

    it('is named by the same digest', () => {
      assert.match(new HostFile(modulePath(protocol), protocol).digest, /^[0-9a-f]{40}$/);
    });

    it('is refused by its first call if it is not what it was expected to be', async () => {
      const { config } = (await configured(protocol)).setup;
      for (const wrong of [
        new HostFile(modulePath(protocol), protocol + 1),
        new HostFile(new URL(import.meta.url).pathname, protocol),
      ]) {
        await wrong.prepare();
        const host = new WasmSorobanHost(wrong);
        host.configureLater(config);
        assert.throws(() => host.rentFee([], 1), bad);
        assert.throws(() => host.rentFee([], 1), bad);
      }
    });

    it('is refused with its settings by its first call, or at once if there is no file', async () => {
      const { config } = (await configured(protocol)).setup;
      const host = new WasmSorobanHost(new HostFile(modulePath(protocol), protocol));
      host.configureLater({ ...config, settings: [new Uint8Array(5).fill(255)] });
      assert.throws(() => host.rentFee([], 1), HostCallError);
      assert.throws(() => new HostFile('/nowhere.wasm', protocol), /ENOENT/);
    });
  });
}

async function configured(protocol: number): Promise<WasmSorobanHost> {
  const host = await newHost(protocol);
  const ledger = new TestLedger(host);
  ledger.addAccount(alice);
  return host;
}

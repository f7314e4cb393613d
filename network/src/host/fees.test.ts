import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { newHost, PROTOCOLS } from '../../test/helpers/testHost.ts';
import { sha256, TestLedger } from '../../test/helpers/testLedger.ts';
import { testSettings } from '../../test/helpers/testSettings.ts';

const u32 = fc.nat(0xffffffff);
const ceil = (n: bigint, d: bigint): bigint => (n + d - 1n) / d;

for (const protocol of PROTOCOLS) {
  describe(`Fees of the host, protocol ${protocol}`, () => {
    it('follow the settings: non-refundable and refundable parts of all declared resources', async () => {
      const host = await newHost(protocol);
      new TestLedger(host);
      fc.assert(
        fc.property(
          fc.tuple(u32, u32, u32, u32, u32, u32, u32),
          ([insn, reads, writes, readBytes, writeBytes, events, size]) => {
            const fee = host.resourceFee({
              instructions: insn,
              diskReadEntries: reads,
              writeEntries: writes,
              diskReadBytes: readBytes,
              writeBytes,
              contractEventsBytes: events,
              transactionBytes: size,
            });
            const perKb = (bytes: number, rate: bigint) => ceil(BigInt(bytes) * rate, 1024n);
            const fixed =
              ceil(BigInt(insn) * 25n, 10_000n) +
              // A written entry is read as well.
              6250n * BigInt(Math.min(reads, 0xffffffff)) +
              10_000n * BigInt(writes) +
              perKb(readBytes, 1786n) +
              perKb(writeBytes, 3500n) +
              perKb(Math.min(size + 300, 0xffffffff), 16_235n) +
              perKb(size, 1624n);
            assert.deepEqual(fee, { nonRefundable: fixed, refundable: perKb(events, 10_000n) });
          },
        ),
      );
    });

    it('charge rent by size, by ledgers, and a third for code', async () => {
      const host = await newHost(protocol);
      const { rentFeePer1Kb } = host.configure({
        networkId: sha256('any'),
        baseReserve: 5_000_000,
        settings: testSettings().map((s) => s.toXdr()),
      });
      assert.equal(rentFeePer1Kb, 1000n);
      const entry = {
        persistent: true,
        code: false,
        oldSize: 0,
        newSize: 2048,
        oldLiveUntil: 0,
        newLiveUntil: 1999,
      };
      const ttlWrite = 10_000n + ceil(48n * 3500n, 1024n);
      // 1,000 ledgers of 2 KB, at 1,000 stroops a KB for every 1,215 ledgers.
      const rent = ceil(2048n * 1000n * 1000n, 1024n * 1215n);
      assert.equal(host.rentFee([entry], 1000), rent + ttlWrite);
      assert.equal(host.rentFee([{ ...entry, code: true }], 1000), ceil(rent, 3n) + ttlWrite);
      assert.equal(host.rentFee([{ ...entry, oldSize: 2048, oldLiveUntil: 1999 }], 1000), 0n);
      assert.equal(host.rentFee([], 1000), 0n);
    });

    it('follow an upgrade of the settings once the host gets the settings again', async () => {
      const host = await newHost(protocol);
      const ledger = new TestLedger(host);
      const resources = {
        instructions: 1_000_000,
        diskReadEntries: 0,
        writeEntries: 0,
        diskReadBytes: 0,
        writeBytes: 0,
        contractEventsBytes: 1024,
        transactionBytes: 0,
      };
      const before = host.resourceFee(resources);
      const settings = testSettings().map((s) =>
        s.type === 'configSettingContractEventsV0'
          ? s.toXdr().fill(0, -8) // fee per kilobyte
          : s.toXdr(),
      );
      host.configure({ networkId: sha256('any'), baseReserve: 5_000_000, settings });
      assert.equal(before.refundable, 10_000n);
      assert.deepEqual(host.resourceFee(resources), { ...before, refundable: 0n });
      assert.ok(ledger.host === host);
    });
  });
}

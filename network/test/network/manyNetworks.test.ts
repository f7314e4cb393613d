import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { startLedger } from '../../src/index.ts';
import { balanceOf, pay } from '../control/reading.ts';

const NETWORKS = 10;
const PAYMENTS = 20;
/** Far more than a payment takes, and far less than a network with a clock would. */
const PATIENCE_MILLISECONDS = 250;

describe('the embedded network is a library', () => {
  it('many run side by side in one process, without ports, each with its own ledger', async (context) => {
    const begin = performance.now();
    const ledgers = await Promise.all(
      Array.from({ length: NETWORKS }, (_, at) =>
        startLedger({ port: null, seed: `network ${at}`, close: { kind: 'manual' } }),
      ),
    );
    const started = performance.now() - begin;
    const times: number[] = [];
    for (const [at, ledger] of ledgers.entries()) {
      assert.equal(ledger.urls, null);
      const { root, sponsor } = ledger.accounts;
      const before = (await balanceOf(ledger, sponsor.address)) ?? 0n;
      for (let payment = 0; payment < PAYMENTS; payment++) {
        const start = performance.now();
        const status = await pay(
          ledger,
          Keypair.fromSecret(root.secret),
          sponsor.address,
          String(at + 1),
        );
        times.push(performance.now() - start);
        assert.equal(status, 'SUCCESS');
      }
      const paid = BigInt((at + 1) * PAYMENTS) * 10_000_000n;
      assert.equal(await balanceOf(ledger, sponsor.address), before + paid);
    }
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    times.sort((a, b) => a - b);
    const median = times[times.length / 2] ?? 0;
    context.diagnostic(
      `${NETWORKS} networks started in ${started.toFixed(0)} ms; a payment took ${median.toFixed(1)} ms (median)`,
    );
    assert.ok(median < PATIENCE_MILLISECONDS);
  });
});

/**
 * Measures the embedded store's cost per settlement: the three journal writes (claimed, handed over, decided), in a file, on
 * each SQLite build that this Node has.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { settlementHash } from '../../src/protocol/index.ts';
import { authorizationKey } from '../../src/protocol/stellar/index.ts';
import { systemClock } from '../../src/server/index.ts';
import { deriveChannelSecrets, openJournal } from '../../src/server/settlement/index.ts';
import { openSigner } from '../../src/server/settlement/signer.ts';
import { openStore } from '../../src/server/store/index.ts';
import { nodeEngine } from '../../src/server/store/sqlite/nodeEngine.ts';
import type { SqliteEngineName } from '../../src/server/store/sqlite/sqliteEngine.ts';
import { PAYER, paymentRequest } from '../../test/support/payment.ts';
import { spread } from '../spread.ts';
import { statistics } from '../statistics.ts';
import { table } from '../table.ts';

const ROUNDS = 15;
const SETTLEMENTS = 1_000;

interface Costs {
  readonly cpu: number[];
  readonly wall: number[];
}

const request = paymentRequest();
const [secret = ''] = deriveChannelSecrets('seed of the store bench');
const signer = openSigner(secret);
if (signer === undefined) throw new Error('the seed gives no signer');
const channel = { signer, sequence: 1n, asOfLedger: 0 };
let nonce = 0n;

/** Settles some payments on a new store. */
async function settle(sqlite: SqliteEngineName, { cpu, wall }: Costs): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-bench-store-'));
  const database = await openStore({ databaseUrl: null, dataFolder, sqlite });
  const journal = openJournal(database, systemClock);
  const [usedBefore, begun] = [process.cpuUsage(), performance.now()];
  for (let i = 0; i < SETTLEMENTS; i += 1) {
    const hash = new Uint8Array(32);
    new DataView(hash.buffer).setBigUint64(0, ++nonce);
    const { record } = await journal.claim('bench', {
      id: randomUUID(),
      key: authorizationKey(PAYER.address, nonce),
      request,
      expirationLedger: 1_050,
      worstFee: 500_000n,
    });
    const transaction = {
      hash: settlementHash(hash),
      envelope: 'A'.repeat(2_000),
      channel: channel.signer.address,
      sequence: nonce,
      lastLedger: 1_050,
      sentAfter: 1_000,
    };
    await journal.submitting(record, transaction, channel);
    const succeeded = { status: 'succeeded', ledger: 1_001, feeCharged: 50_200n } as const;
    await journal.decided(record, succeeded, undefined);
  }
  const used = process.cpuUsage(usedBefore);
  wall.push((performance.now() - begun) / SETTLEMENTS);
  cpu.push((used.user + used.system) / 1_000 / SETTLEMENTS);
  await database.close();
  rmSync(dataFolder, { recursive: true, force: true });
}

const builds = new Map<SqliteEngineName, Costs>([['wasm', { cpu: [], wall: [] }]]);
if (nodeEngine() !== undefined) builds.set('node', { cpu: [], wall: [] });

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
);
console.log(
  `Three writes of a settlement, milliseconds each: medians of ${ROUNDS} rounds of ${SETTLEMENTS}, with the tenth and ninetieth percentile in brackets.\n`,
);
// The first round, which compiles the code, does not count.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, costs] of builds) {
    await settle(name, round === 0 ? { cpu: [], wall: [] } : costs);
  }
}
const labels = { wasm: 'SQLite in WebAssembly', node: 'node:sqlite' };
console.log(
  table(
    ['store in a file', 'CPU', 'time'],
    [...builds].map(([name, { cpu, wall }]) => [
      labels[name],
      spread(statistics(cpu)),
      spread(statistics(wall)),
    ]),
  ),
);
if (!builds.has('node')) console.log(`\nNode ${process.version} does not have node:sqlite.`);

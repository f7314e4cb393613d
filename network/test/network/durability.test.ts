import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openNetwork } from '../../src/openNetwork.ts';

const KILLS = Number(process.env['KILLS'] ?? 8);
/** Ledgers that a process may close before it is killed, at most. */
const MAX_LEDGERS = 12;

/** Numbers that look random and are the same each time (xorshift). */
function* dice(): Generator<number> {
  let state = 0x2545f491;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

describe('after kill -9 at any moment', () => {
  let folder: string;
  let program: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'durable-'));
    program = join(folder, 'payingNetwork.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('./payingNetwork.ts', import.meta.url))],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      define: {
        'import.meta.url': JSON.stringify(new URL('../../src/', import.meta.url).href),
      },
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(process.cwd() + '/x.js');",
      },
      logLevel: 'error',
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it(`every ledger that was seen is kept, the hash chain is complete, and no coin is lost (${KILLS} kills)`, async (context) => {
    const dataFolder = join(folder, 'data');
    const seen = new Map<number, string>();
    const random = dice();
    for (let kill = 0; kill < KILLS; kill++) {
      const roll = random.next().value ?? 0;
      await killAfter(program, dataFolder, roll % MAX_LEDGERS, (roll >>> 8) % 20, seen);
      // A copy: the next process has to start from what the kill left, not from what was repaired here.
      const copy = join(folder, 'copy');
      cpSync(dataFolder, copy, { recursive: true });
      await examine(copy, seen);
      rmSync(copy, { recursive: true });
    }
    assert.ok(seen.size > KILLS, `${seen.size} ledgers were seen`);
    context.diagnostic(`${seen.size} ledgers were seen, and all are there`);
  });
});

/** Runs the program until it closed so many ledgers and a little more, and kills it. */
async function killAfter(
  program: string,
  dataFolder: string,
  ledgers: number,
  milliseconds: number,
  seen: Map<number, string>,
): Promise<void> {
  const child = spawn(process.execPath, [program, dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = 0;
  let rest = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString();
      const whole = text.split('\n');
      rest = whole.pop() ?? '';
      for (const line of whole) {
        if (line !== 'ready') note(line, seen);
        lines += 1;
      }
      if (lines > ledgers) setTimeout(() => child.kill('SIGKILL'), milliseconds);
    });
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve();
      else reject(new Error(`the network ended by itself with ${code}`));
    });
  });
  await exited(child);
}

function note(line: string, seen: Map<number, string>): void {
  const [sequence, hash = ''] = line.split(' ');
  const before = seen.get(Number(sequence));
  assert.equal(before ?? hash, hash, `ledger ${sequence} has one hash`);
  seen.set(Number(sequence), hash);
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

/** Opening it proves the chain behind the snapshot and the hash of the state; the rest is looked at here. */
async function examine(dataFolder: string, seen: ReadonlyMap<number, string>): Promise<void> {
  const network = await openNetwork({ dataFolder, close: { kind: 'manual' } });
  try {
    const { history, engine } = network.service;
    for (const [sequence, hash] of seen) {
      assert.equal(history.ledger(sequence)?.hash, hash, `ledger ${sequence} is there`);
    }
    let previous: string | undefined;
    for (const ledger of history.ledgers(history.oldestSequence, history.latestSequence)) {
      const { previousLedgerHash } = ledger.header;
      const before = Buffer.from(previousLedgerHash.value).toString('hex');
      assert.equal(before, previous ?? before, `ledger ${ledger.sequence} follows the one before`);
      previous = ledger.hash;
    }
    const { header } = engine.state;
    assert.deepEqual(engine.state.stateHash(), Buffer.from(header.bucketListHash.value));
    let coins = header.feePool;
    for (const id of engine.state.ids()) {
      const entry = engine.state.glance(id);
      if (entry?.data.type === 'account') coins += entry.data.account.balance;
    }
    assert.equal(coins, header.totalCoins);
  } finally {
    network.close();
  }
}

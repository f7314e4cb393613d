import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LockHolder, thisHolder } from '../../src/machine/lock/lockHolder.ts';
import { markText } from '../../src/machine/lock/lockMark.ts';
import type { RoundAnswer, RoundOrder, RoundResult } from './roundRunner.ts';

export interface RoundCounts {
  rounds: number;
  /** Rounds in which two processes had the lock at once. */
  double: number;
  /** Rounds in which nobody got it. */
  nobody: number;
  failed: number;
}

export interface RoundOptions {
  /** Locks that the three processes fight for at the same time. Where only silence proves a death, a round takes 5 seconds. */
  readonly lanes?: number | undefined;
  /** The runner as a bundle of its own; without it, its source. */
  readonly runner?: string | undefined;
}

/** Lets three processes find the lock of a dead process at the same moment, round after round. */
export async function runLockRounds(
  rounds: number,
  { lanes = 1, runner }: RoundOptions = {},
): Promise<RoundCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-rounds-'));
  const runners = Array.from({ length: 3 }, () => new Runner(runner));
  // A process that has ended, and whose pid is this system's own.
  const { pid } = spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  const dead = { ...thisHolder(), pid, start: '1' };
  const counts: RoundCounts = { rounds: 0, double: 0, nobody: 0, failed: 0 };
  let begun = 0;
  const lane = async (place: string): Promise<void> => {
    while (begun < rounds) {
      begun += 1;
      count(counts, await oneRound(place, runners, dead), place);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, (_, i) => lane(join(folder, `lane-${i}`))));
    return counts;
  } finally {
    await Promise.all(runners.map((one) => one.kill()));
    // Windows keeps a folder busy for a moment after the process that used it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function oneRound(
  folder: string,
  runners: readonly Runner[],
  dead: LockHolder,
): Promise<readonly RoundResult[]> {
  mkdirSync(join(folder, 'lock'), { recursive: true });
  writeFileSync(join(folder, 'lock', randomBytes(12).toString('hex')), markText(dead, 7));
  return Promise.all(
    runners.map((one) => one.order({ folder, waitMs: randomInt(3), holdMs: randomInt(4) })),
  );
}

function count(counts: RoundCounts, results: readonly RoundResult[], folder: string): void {
  counts.rounds += 1;
  if (results.includes('double')) {
    counts.double += 1;
    rmSync(join(folder, 'lock'), { recursive: true, force: true });
    rmSync(join(folder, 'inside'), { force: true });
  }
  if (results.includes('failed')) counts.failed += 1;
  if (!results.includes('held') && !results.includes('double')) counts.nobody += 1;
}

/** One of the three processes. */
class Runner {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, (result: RoundResult) => void>();
  readonly #ended: Promise<never>;
  #next = 0;

  constructor(bundle: string | undefined) {
    const source = fileURLToPath(new URL('./roundRunner.ts', import.meta.url));
    this.child = bundle ? fork(bundle) : fork(source, { execArgv: ['--import', 'tsx'] });
    this.child.on('message', (message) => {
      const { id, result } = message as RoundAnswer;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
    this.#ended = new Promise((_, reject) => {
      this.child.once('exit', (code, signal) =>
        reject(new Error(`a process of the rounds ended with ${code ?? signal}`)),
      );
    });
    this.#ended.catch(() => {});
  }

  /** Returns once the process has ended and let its files go. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended.catch(() => {});
  }

  order(what: Omit<RoundOrder, 'id'>): Promise<RoundResult> {
    const id = this.#next++;
    const answered = new Promise<RoundResult>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    const order: RoundOrder = { id, ...what };
    this.child.send(order);
    return Promise.race([answered, this.#ended]);
  }
}

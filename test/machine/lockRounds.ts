import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LockHolder, thisHolder } from '../../common/machine/lock/lockHolder.ts';
import { markText } from '../../common/machine/lock/lockMark.ts';
import type { RoundAnswer, RoundOrder, RoundReport } from './roundRunner.ts';

export interface RoundCounts {
  /** Rounds in which all three processes reported. Only these say anything about the lock. */
  rounds: number;
  /** Rounds in which two processes had the lock at once. */
  double: number;
  /** Rounds in which nobody got it. */
  nobody: number;
  /** Rounds in which a process could not do its part for another reason. */
  failed: number;
}

export interface RoundOptions {
  /** Locks that the three processes fight for at the same time. Where only silence proves a death, a round takes 5 seconds. */
  readonly lanes?: number | undefined;
  /** The runner as a bundle of its own; without it, its source. */
  readonly runner?: string | undefined;
  /** Called after each round, so that the counts so far survive whatever ends the run. */
  readonly onCounts?: ((counts: Readonly<RoundCounts>) => void) | undefined;
}

const EXITS_WITHIN_MS = 5_000;

/**
 * Lets three processes find the lock of a dead process at the same moment, round after round.
 * @throws Error if one of the processes ends, or can no longer be reached
 */
export async function runLockRounds(
  rounds: number,
  { lanes = 1, runner, onCounts }: RoundOptions = {},
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
      const verdict = judgeRound(await oneRound(place, runners, dead));
      counts.rounds += 1;
      if (verdict !== 'one') counts[verdict] += 1;
      onCounts?.(counts);
      rmSync(join(place, 'lock'), { recursive: true, force: true });
      rmSync(join(place, 'inside'), { force: true });
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, (_, i) => lane(join(folder, `lane-${i}`))));
    return counts;
  } finally {
    await Promise.all(runners.map((one) => one.kill()));
    removeLater(folder);
  }
}

/** Windows keeps a folder busy for a moment after the process that used it. What is left there says nothing about the lock. */
function removeLater(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch (error) {
    console.error(`${folder} could not be removed:`, error);
  }
}

/**
 * Returns whether one process had the lock, or two at once, or nobody.
 *
 * A process that was stopped for seconds while it was inside loses its lock by silence, and the next one finds it inside: that
 * is a wrong lock only if the first one still believes that it holds the lock.
 */
export function judgeRound(
  reports: readonly RoundReport[],
): 'one' | keyof Omit<RoundCounts, 'rounds'> {
  const holders = reports.filter(({ result }) => result === 'held').map(({ pid }) => pid);
  const double = reports.some(
    ({ result, met }) =>
      result === 'met' && (met === undefined ? holders.length > 0 : holders.includes(met)),
  );
  if (double) return 'double';
  if (reports.some(({ result }) => result === 'failed')) return 'failed';
  return reports.every(({ result }) => result === 'refused') ? 'nobody' : 'one';
}

async function oneRound(
  folder: string,
  runners: readonly Runner[],
  dead: LockHolder,
): Promise<readonly RoundReport[]> {
  mkdirSync(join(folder, 'lock'), { recursive: true });
  writeFileSync(join(folder, 'lock', randomBytes(12).toString('hex')), markText(dead, 7));
  return Promise.all(
    runners.map((one) => one.order({ folder, waitMs: randomInt(3), holdMs: randomInt(4) })),
  );
}

/** One of the three processes. */
class Runner {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, (report: RoundReport) => void>();
  readonly #ended: Promise<never>;
  #next = 0;

  constructor(bundle: string | undefined) {
    const source = fileURLToPath(new URL('./roundRunner.ts', import.meta.url));
    this.child = bundle ? fork(bundle) : fork(source, { execArgv: ['--import', 'tsx'] });
    this.child.on('message', (message) => {
      const { id, report } = message as RoundAnswer;
      this.#waiting.get(id)?.(report);
      this.#waiting.delete(id);
    });
    this.#ended = new Promise((_, reject) => {
      // An order that did not reach it.
      this.child.on('error', reject);
      // One that is ending disconnects first: its exit status says more.
      this.child.once('disconnect', () => {
        const gone = new Error('a process of the rounds can no longer be reached');
        setTimeout(() => reject(gone), EXITS_WITHIN_MS).unref();
      });
      this.child.once('exit', (code, signal) =>
        reject(new Error(`a process of the rounds ended with ${code ?? signal}`)),
      );
    });
    this.#ended.catch(() => {});
  }

  /** Returns once the process has ended and let its files go. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await exited;
  }

  order(what: Omit<RoundOrder, 'id'>): Promise<RoundReport> {
    const id = this.#next++;
    const answered = new Promise<RoundReport>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    const order: RoundOrder = { id, ...what };
    this.child.send(order);
    return Promise.race([answered, this.#ended]);
  }
}

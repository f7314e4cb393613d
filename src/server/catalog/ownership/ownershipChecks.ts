import { canonicalPayTo } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Database } from '../../store/index.ts';
import type { CatalogBounds } from '../bounds.ts';
import type { DamagedRows } from '../records/damagedRows.ts';
import { displace } from '../records/displace.ts';
import {
  checksAfterRestart,
  claimCheck,
  countUnverifiable,
  type DueCheck,
  restsStill,
  writeLocalCheck,
  writeProtocols,
  writeVerdict,
} from '../records/ownerRecords.ts';
import { takeOwnerWords } from '../records/ownerWords.ts';
import { acceptChallenge, type Challenge, ChallengeCooldown } from './challengers.ts';
import { checkOwnership, type OwnershipVerdict } from './checkOwnership.ts';
import { OWNERSHIP_COOLDOWN_MS } from './cooldown.ts';
import type { OwnershipFetch } from './fetchChallenge.ts';

/** A queue that runs a few tasks at a time, in order of arrival, until it is stopped. */
class CheckQueue {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #limits: { readonly atOnce: number; readonly waiting: number };

  constructor(limits: { readonly atOnce: number; readonly waiting: number }) {
    this.#limits = limits;
  }

  /** Aborts when the queue stops. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Number of tasks that wait or run. */
  get size(): number {
    return this.#waiting.length + this.#running.size;
  }

  /** Queues a task, unless the queue is full. @param work never rejects */
  add(work: () => Promise<void>): void {
    if (this.#waiting.length >= this.#limits.waiting || this.signal.aborted) return;
    this.#waiting.push(work);
    this.#fill();
  }

  /** Resolves when no task waits or runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Drops waiting tasks, aborts running ones and waits for them to end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiting.length = 0;
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (this.#running.size < this.#limits.atOnce && !this.signal.aborted) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const work = next().finally(() => {
        this.#running.delete(work);
        this.#fill();
      });
      this.#running.add(work);
    }
  }
}

const MAX_AT_ONCE = 4;
/** Maximum number of waiting checks; any other is made after a later settlement. */
const MAX_WAITING = 1_000;
const MAX_AFTER_RESTART = 500;

export interface OwnershipCheckParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch: OwnershipFetch;
  /** Only on the embedded network: whether sellers on this machine are checked as well. */
  readonly checksLocalSellers: boolean;
  readonly bounds: CatalogBounds;
  readonly damaged: DamagedRows;
  /** Called when an entry's texts changed after a check. */
  readonly onWords: (key: string) => void;
  /** Called when a check proved an entry's owner, with the keys whose entries were removed. */
  readonly onProved: (key: string, gone: readonly string[]) => void;
}

const UNVERIFIABLE: OwnershipVerdict = { verified: false, failure: 'other_recipient' };

/** Checks ownership, a few entries at once and never on a settlement's path. */
export class OwnershipChecks {
  readonly #parts: OwnershipCheckParts;
  readonly #queue = new CheckQueue({ atOnce: MAX_AT_ONCE, waiting: MAX_WAITING });
  readonly #cooldown = new ChallengeCooldown();
  #unverifiable = 0;

  constructor(parts: OwnershipCheckParts) {
    this.#parts = parts;
  }

  /** Number of checks that wait or run (spec: Health/reverifyPending). */
  get pending(): number {
    return this.#queue.size;
  }

  /** Number of unverifiable entries, at the last count. */
  get unverifiable(): number {
    return this.#unverifiable;
  }

  /** Checks an entry soon, unless it was checked within the cooldown. Never rejects. */
  schedule(key: string): void {
    this.#add(() => this.#check(key));
  }

  /** Checks, for a settlement that was refused, whether its own URL names its recipient. */
  challenge(challenge: Challenge): void {
    const { key, origin } = challenge.settled.listing;
    if (origin.startsWith('mcp:')) return;
    if (this.#cooldown.take(key, this.#parts.clock.now())) this.#add(() => this.#meet(challenge));
  }

  /** Resumes the checks that a restart interrupted. */
  async resume(): Promise<void> {
    const { database, clock, damaged } = this.#parts;
    this.#unverifiable = await countUnverifiable(database);
    const now = clock.now();
    const due = await checksAfterRestart(
      database,
      now,
      OWNERSHIP_COOLDOWN_MS,
      MAX_AFTER_RESTART,
      damaged,
    );
    for (const each of due) this.#add(() => this.#verify(each));
  }

  /** Resolves when no check waits or runs. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Stops running checks. */
  stop(): Promise<void> {
    return this.#queue.stop();
  }

  #add(work: () => Promise<void>): void {
    this.#queue.add(async () => {
      try {
        await work();
        this.#unverifiable = await countUnverifiable(this.#parts.database);
      } catch (error) {
        if (this.#isStopped) return;
        this.#parts.logger.warn({ err: error }, 'an ownership check failed');
      }
    });
  }

  async #check(key: string): Promise<void> {
    const { database, clock, damaged } = this.#parts;
    const due = await claimCheck(database, key, clock.now(), OWNERSHIP_COOLDOWN_MS, damaged);
    if (due !== undefined) await this.#verify(due);
  }

  async #verify(due: DueCheck): Promise<void> {
    const { database, clock, onWords } = this.#parts;
    const verdict = await this.#ask(due, 'public');
    if (this.#isStopped) return;
    await writeVerdict(database, due, verdict, clock.now());
    await this.#ownOrigin(due, verdict, false);
    const challenge = verdict.verified ? verdict.challenge : undefined;
    if (await takeOwnerWords(database, due, challenge, clock.now())) onWords(due.key);
    if (this.#mayBeLocal(verdict)) await this.#verifyLocally(due);
    else await this.#noteProtocols(due, verdict);
  }

  async #verifyLocally(due: DueCheck): Promise<void> {
    const local = await this.#ask(due, 'loopback');
    if (this.#isStopped) return;
    const isElsewhere = !local.verified && local.failure === 'url_not_permitted';
    if (!isElsewhere) {
      await writeLocalCheck(this.#parts.database, due, local.verified);
      await this.#ownOrigin(due, local, true);
    }
    await this.#noteProtocols(due, local);
  }

  /** Records what a check saw: a check that failed saw no protocol. */
  async #noteProtocols(due: DueCheck, verdict: OwnershipVerdict): Promise<void> {
    const { database } = this.#parts;
    await writeProtocols(database, due, verdict.verified ? verdict.protocols : []);
  }

  /** Checks a challenger's URL like an entry's; keys that it proves become the challenger's. */
  async #meet(challenge: Challenge): Promise<void> {
    const { database, clock, bounds, onProved } = this.#parts;
    const { settled, url } = challenge;
    const { key } = settled.listing;
    if (await restsStill(database, key, clock.now(), OWNERSHIP_COOLDOWN_MS)) return;
    const due = { url, payTo: settled.payTo };
    let verdict = await this.#ask(due, 'public');
    const local = this.#mayBeLocal(verdict);
    if (local) verdict = await this.#ask(due, 'loopback');
    if (!verdict.verified || this.#isStopped) return;
    const circumstances = { bounds, now: clock.now(), local };
    onProved(key, await acceptChallenge(database, challenge, verdict, circumstances));
    this.schedule(key);
  }

  async #ask(
    due: Pick<DueCheck, 'url' | 'payTo'>,
    reach: 'public' | 'loopback',
  ): Promise<OwnershipVerdict> {
    const payTo = canonicalPayTo(due.payTo);
    if (payTo === undefined) return UNVERIFIABLE;
    const { clock, fetch } = this.#parts;
    const question = { url: due.url, payTo, reach, signal: this.#queue.signal, now: clock.now() };
    return checkOwnership(question, fetch);
  }

  /** Applies an entry's check to its origin. */
  async #ownOrigin(due: DueCheck, verdict: OwnershipVerdict, local: boolean): Promise<void> {
    const { database, clock, onProved } = this.#parts;
    const { key, payTo, origin } = due;
    const owner = canonicalPayTo(payTo);
    if (!verdict.verified || owner === undefined) return;
    const { recipients } = verdict;
    const proof = { origin, key, payTo: owner, recipients, local };
    onProved(key, await displace(database, proof, clock.now()));
  }

  get #isStopped(): boolean {
    return this.#queue.signal.aborted;
  }

  /** Returns whether a URL might name a seller on this machine, if such sellers are checked. */
  #mayBeLocal(verdict: OwnershipVerdict): boolean {
    const isRefused = !verdict.verified && verdict.failure === 'url_not_permitted';
    return isRefused && this.#parts.checksLocalSellers;
  }
}

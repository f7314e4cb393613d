import { canonicalPayTo } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Database } from '../../store/index.ts';
import {
  checksAfterRestart,
  claimCheck,
  countUnverifiable,
  type DueCheck,
  writeLocalCheck,
  writeVerdict,
} from '../records/ownerRecords.ts';
import { takeOwnerWords } from '../records/ownerWords.ts';
import { checkOwnership, type OwnershipVerdict } from './checkOwnership.ts';
import type { OwnershipFetch } from './fetchChallenge.ts';

/** How long a checked entry rests (spec: Limits/Ownership re-check cooldown). */
export const OWNERSHIP_COOLDOWN_MS = 15 * 60_000;
const MAX_AT_ONCE = 4;
/** Checks that wait; one beyond that is made after a later settlement. */
const MAX_WAITING = 1_000;
const MAX_AFTER_RESTART = 500;

export interface OwnershipCheckParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch: OwnershipFetch;
  /** On the embedded network alone: whether sellers on this machine are checked as well. */
  readonly checksLocalSellers: boolean;
  /** Called when an entry says something else after a check. */
  readonly onWords: (key: string) => void;
}

/** Checks of ownership, a few at once and off every settlement's path. */
export interface OwnershipChecks {
  /** Checks an entry soon, unless it was checked within the cooldown. Never rejects. */
  schedule(key: string): void;
  /** Takes up what a restart left open. */
  resume(): Promise<void>;
  /** Checks that wait or are under way (spec: Health/reverifyPending). */
  readonly pending: number;
  /** Entries whose owner could not be verified, as last counted. */
  readonly unverifiable: number;
  /** Resolves when none is waiting or under way. */
  idle(): Promise<void>;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

const UNVERIFIABLE: OwnershipVerdict = { verified: false, failure: 'other_recipient' };

export function createOwnershipChecks(parts: OwnershipCheckParts): OwnershipChecks {
  const { database, clock, logger, fetch } = parts;
  const stopping = new AbortController();
  const waiting: (() => Promise<DueCheck | undefined>)[] = [];
  const running = new Set<Promise<void>>();
  let unverifiable = 0;

  async function ask(due: DueCheck, reach: 'public' | 'loopback'): Promise<OwnershipVerdict> {
    const payTo = canonicalPayTo(due.payTo);
    if (payTo === undefined) return UNVERIFIABLE;
    return checkOwnership({ url: due.url, payTo, reach, signal: stopping.signal }, fetch);
  }

  async function run(claim: () => Promise<DueCheck | undefined>): Promise<void> {
    try {
      const due = await claim();
      if (due === undefined) return;
      const verdict = await ask(due, 'public');
      if (stopping.signal.aborted) return;
      await writeVerdict(database, due, verdict, clock.now());
      const challenge = verdict.verified ? verdict.challenge : undefined;
      if (await takeOwnerWords(database, due, challenge, clock.now())) parts.onWords(due.key);
      const isLocal = !verdict.verified && verdict.failure === 'url_not_permitted';
      if (isLocal && parts.checksLocalSellers) {
        const local = await ask(due, 'loopback');
        if (stopping.signal.aborted) return;
        const isElsewhere = !local.verified && local.failure === 'url_not_permitted';
        if (!isElsewhere) await writeLocalCheck(database, due, local.verified);
      }
      unverifiable = await countUnverifiable(database);
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ err: error }, 'an ownership check broke off');
    }
  }

  function fill(): void {
    while (running.size < MAX_AT_ONCE && !stopping.signal.aborted) {
      const claim = waiting.shift();
      if (claim === undefined) return;
      const work = run(claim).finally(() => {
        running.delete(work);
        fill();
      });
      running.add(work);
    }
  }

  function add(claim: () => Promise<DueCheck | undefined>): void {
    if (waiting.length >= MAX_WAITING || stopping.signal.aborted) return;
    waiting.push(claim);
    fill();
  }

  return {
    schedule: (key) => add(() => claimCheck(database, key, clock.now(), OWNERSHIP_COOLDOWN_MS)),
    async resume() {
      unverifiable = await countUnverifiable(database);
      const now = clock.now();
      const due = await checksAfterRestart(database, now, OWNERSHIP_COOLDOWN_MS, MAX_AFTER_RESTART);
      for (const check of due) add(async () => check);
    },
    get pending() {
      return waiting.length + running.size;
    },
    get unverifiable() {
      return unverifiable;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    async stop() {
      stopping.abort();
      waiting.length = 0;
      await Promise.all(running);
    },
  };
}

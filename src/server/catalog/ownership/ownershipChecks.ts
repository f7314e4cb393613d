import { canonicalPayTo } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Database } from '../../store/index.ts';
import type { CatalogBounds } from '../bounds.ts';
import { displace } from '../records/displace.ts';
import {
  checksAfterRestart,
  claimCheck,
  countUnverifiable,
  type DueCheck,
  restsStill,
  writeLocalCheck,
  writeVerdict,
} from '../records/ownerRecords.ts';
import { takeOwnerWords } from '../records/ownerWords.ts';
import { acceptChallenge, type Challenge, ChallengeCooldown } from './challengers.ts';
import { checkOwnership, type OwnershipVerdict } from './checkOwnership.ts';
import { OWNERSHIP_COOLDOWN_MS } from './cooldown.ts';
import type { OwnershipFetch } from './fetchChallenge.ts';
import { recipientsOf } from './recipientsOf.ts';

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
  readonly bounds: CatalogBounds;
  /** Called when an entry says something else after a check. */
  readonly onWords: (key: string) => void;
  /** Called when a check proved whose an entry is, with the keys whose entries went. */
  readonly onProved: (key: string, gone: readonly string[]) => void;
}

/** Checks of ownership, a few at once and off every settlement's path. */
export interface OwnershipChecks {
  /** Checks an entry soon, unless it was checked within the cooldown. Never rejects. */
  schedule(key: string): void;
  /** Checks, for a settlement that was refused, whether its own URL names its recipient. */
  challenge(challenge: Challenge): void;
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
  const waiting: (() => Promise<void>)[] = [];
  const cooldown = new ChallengeCooldown();
  const running = new Set<Promise<void>>();
  let unverifiable = 0;

  async function ask(
    due: Pick<DueCheck, 'url' | 'payTo'>,
    reach: 'public' | 'loopback',
  ): Promise<OwnershipVerdict> {
    const payTo = canonicalPayTo(due.payTo);
    if (payTo === undefined) return UNVERIFIABLE;
    return checkOwnership({ url: due.url, payTo, reach, signal: stopping.signal }, fetch);
  }

  /** What a check of an entry says of its origin. */
  async function ownOrigin(due: DueCheck, verdict: OwnershipVerdict, local: boolean) {
    const { key, payTo, origin } = due;
    const owner = canonicalPayTo(payTo);
    if (!verdict.verified || owner === undefined) return;
    const recipients = recipientsOf(verdict.challenge);
    const proof = { origin, key, payTo: owner, recipients, local };
    parts.onProved(key, await displace(database, proof, clock.now()));
  }

  /** A challenger's URL is asked as an entry's is; what it proves is its own from then on. */
  async function meet(challenge: Challenge): Promise<void> {
    const { settled, url } = challenge;
    if (await restsStill(database, settled.listing.key, clock.now(), OWNERSHIP_COOLDOWN_MS)) return;
    const due = { url, payTo: settled.payTo };
    let verdict = await ask(due, 'public');
    const isLocal = !verdict.verified && verdict.failure === 'url_not_permitted';
    if (isLocal && parts.checksLocalSellers) verdict = await ask(due, 'loopback');
    if (!verdict.verified || stopping.signal.aborted) return;
    const circumstances = { bounds: parts.bounds, now: clock.now(), local: isLocal };
    const gone = await acceptChallenge(database, challenge, verdict.challenge, circumstances);
    parts.onProved(settled.listing.key, gone);
    add(() => check(() => claimNow(settled.listing.key)));
  }

  const claimNow = (key: string) => claimCheck(database, key, clock.now(), OWNERSHIP_COOLDOWN_MS);

  async function check(claim: () => Promise<DueCheck | undefined>): Promise<void> {
    const due = await claim();
    if (due !== undefined) await verify(due);
  }

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      unverifiable = await countUnverifiable(database);
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ err: error }, 'an ownership check broke off');
    }
  }

  async function verify(due: DueCheck): Promise<void> {
    const verdict = await ask(due, 'public');
    if (stopping.signal.aborted) return;
    await writeVerdict(database, due, verdict, clock.now());
    await ownOrigin(due, verdict, false);
    const challenge = verdict.verified ? verdict.challenge : undefined;
    if (await takeOwnerWords(database, due, challenge, clock.now())) parts.onWords(due.key);
    const isLocal = !verdict.verified && verdict.failure === 'url_not_permitted';
    if (isLocal && parts.checksLocalSellers) {
      const local = await ask(due, 'loopback');
      if (stopping.signal.aborted) return;
      const isElsewhere = !local.verified && local.failure === 'url_not_permitted';
      if (!isElsewhere) {
        await writeLocalCheck(database, due, local.verified);
        await ownOrigin(due, local, true);
      }
    }
  }

  function fill(): void {
    while (running.size < MAX_AT_ONCE && !stopping.signal.aborted) {
      const next = waiting.shift();
      if (next === undefined) return;
      const work = run(next).finally(() => {
        running.delete(work);
        fill();
      });
      running.add(work);
    }
  }

  function add(work: () => Promise<void>): void {
    if (waiting.length >= MAX_WAITING || stopping.signal.aborted) return;
    waiting.push(work);
    fill();
  }

  return {
    schedule: (key) => add(() => check(() => claimNow(key))),
    challenge(challenge) {
      const { key, origin } = challenge.settled.listing;
      if (origin.startsWith('mcp:') || !cooldown.take(key, clock.now())) return;
      add(() => meet(challenge));
    },
    async resume() {
      unverifiable = await countUnverifiable(database);
      const now = clock.now();
      const due = await checksAfterRestart(database, now, OWNERSHIP_COOLDOWN_MS, MAX_AFTER_RESTART);
      for (const each of due) add(() => verify(each));
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

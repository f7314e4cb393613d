import type { ExtensionResponses } from '../../protocol/wire/index.ts';
import type { Clock } from '../clock.ts';
import type { Settlement } from '../facilitator/index.ts';
import type { Logger } from '../logger.ts';
import type { CatalogSearch, SearchStatus } from '../search/index.ts';
import type { Database } from '../store/index.ts';
import { type CatalogBounds, DEFAULT_BOUNDS } from './bounds.ts';
import { type CatalogReading, createReading } from './catalogReading.ts';
import { createIngest } from './ingest.ts';
import type { KeepingBounds } from './keptSearch.ts';
import { createObserved } from './observed.ts';
import {
  type CatalogRule,
  type JournalEntry,
  type Operated,
  type Operation,
  operate,
  readJournal,
  readRules,
} from './operator/index.ts';
import type { OwnershipFetch } from './ownership/fetchChallenge.ts';
import { FetchSlots } from './ownership/fetchSlots.ts';
import { OwnershipChecks } from './ownership/ownershipChecks.ts';
import { optionOf } from './paymentOption.ts';
import { DamagedRows } from './records/damagedRows.ts';
import { createSearchFeed } from './searchFeed.ts';
import type { SettledPayment } from './settledPayment.ts';
import { type Validation, type ValidationQuestion, validate } from './validation/validate.ts';

export interface CatalogParts {
  readonly database: Database;
  readonly search: CatalogSearch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds?: CatalogBounds;
  /** How the ownership check connects to sellers. */
  readonly ownershipFetch?: OwnershipFetch;
  /** When the search's index is worth keeping on disk. */
  readonly keeping?: KeepingBounds;
  /** Only on the embedded network. */
  readonly checksLocalSellers?: boolean;
  /** The payment schemes that this facilitator settles. */
  readonly schemes: readonly string[];
}

/** The catalog's part of `/health`. */
export interface CatalogStatus {
  /** Whether it accepts no entries at present, because the store does not write or the catalog is full. */
  readonly frozen: boolean;
  readonly unverifiable: number;
  readonly reverifyPending: number;
  /** Keys of stored rows that cannot be read and are left out, at most a hundred. */
  readonly damagedRows: readonly string[];
  readonly search: SearchStatus;
}

/** The catalog of paid resources: it is filled by settlements and answers queries. */
export interface Catalog extends CatalogReading {
  /**
   * The facilitator's hook. Its result goes into `extension-responses`. It rejects if the store could
   * not record the settlement; nothing has changed in that case.
   */
  onSettled(settlement: Settlement): Promise<ExtensionResponses>;
  /** The same for a settlement from another source. */
  take(payment: SettledPayment): Promise<ExtensionResponses>;
  /** Performs an operator's action: delists, forbids or allows entries. */
  operate(operation: Operation): Promise<Operated>;
  /** Lists the operator's rules. */
  rules(): Promise<readonly CatalogRule[]>;
  /** Lists the operator's actions, latest first. */
  journal(limit: number): Promise<readonly JournalEntry[]>;
  /** Explains why a resource is or is not listed. */
  validate(question: ValidationQuestion): Promise<Validation>;
  status(): CatalogStatus;
  /** Resolves when the work after settlements is done: ownership checks, the search's index. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

function paymentOf({ request, payment, hash, isProved }: Settlement): SettledPayment {
  const { paymentPayload } = request;
  return {
    hash,
    payer: payment.payer,
    payTo: payment.payTo,
    moved: payment.amount,
    isProved,
    option: optionOf(paymentPayload.accepted),
    declared: { resource: paymentPayload.resource, extensions: paymentPayload.extensions },
  };
}

/**
 * Opens the catalog over a store. It answers queries immediately: meanwhile it fills the search and
 * resumes checks that a restart interrupted.
 */
export function openCatalog(parts: CatalogParts): Catalog {
  const { database, search, clock, logger, schemes, checksLocalSellers = false } = parts;
  const keeping = parts.keeping === undefined ? {} : { bounds: parts.keeping };
  const ownershipFetch = { ...parts.ownershipFetch, slots: new FetchSlots() };
  const observed = createObserved();
  const damaged = new DamagedRows(logger);
  const source = { database, observed, damaged, now: () => clock.now() };
  const feed = createSearchFeed({ search, source, clock, ...keeping }, logger);
  const checks = new OwnershipChecks({
    database,
    clock,
    logger,
    fetch: ownershipFetch,
    checksLocalSellers,
    bounds: parts.bounds ?? DEFAULT_BOUNDS,
    damaged,
    onWords: (key) => feed.changed(key, []),
    onProved: (key, gone) => feed.changed(key, gone),
  });
  const ingest = createIngest({
    database,
    clock,
    logger,
    bounds: parts.bounds ?? DEFAULT_BOUNDS,
    onCataloged(key, { counted, gone }) {
      if (counted) observed.add(key);
      feed.changed(key, gone);
      checks.schedule(key);
    },
    onRefused: (challenge) => checks.challenge(challenge),
  });
  const started = Promise.all([
    feed.fill(),
    checks.resume().catch((error: unknown) => {
      logger.error({ err: error }, 'could not resume ownership checks');
    }),
  ]);

  const take = async (payment: SettledPayment): Promise<ExtensionResponses> => ({
    bazaar: await ingest.take(payment),
  });

  return {
    onSettled: (settlement) => take(paymentOf(settlement)),
    take,
    ...createReading(source, search),
    async operate(operation) {
      const operated = await operate(database, operation, clock.now());
      feed.removed(operated.gone);
      const { action, target } = operation;
      logger.info(
        { action, ...target, removed: operated.gone.length },
        'the operator changed the catalog',
      );
      return operated;
    },
    rules: () => readRules(database),
    journal: (limit) => readJournal(database, limit),
    validate: (question) =>
      validate(question, {
        source,
        fetch: ownershipFetch,
        checksLocalSellers,
        schemes,
        now: clock.now(),
      }),
    status: () => ({
      frozen: database.frozen !== undefined || ingest.full,
      unverifiable: checks.unverifiable,
      reverifyPending: checks.pending,
      damagedRows: damaged.keys,
      search: search.status(),
    }),
    async idle() {
      await started;
      await feed.settled();
      await checks.idle();
      await search.settled();
    },
    async close() {
      feed.stop();
      search.stop();
      await checks.stop();
      await feed.settled();
      await started;
    },
  };
}

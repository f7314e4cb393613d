import { canonicalPayTo } from '../../protocol/index.ts';
import { type BazaarResponse, notCataloged } from '../../protocol/wire/index.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { type Database, StoreError } from '../store/index.ts';
import type { CatalogBounds } from './bounds.ts';
import { CatalogFull } from './catalogFull.ts';
import { listedFor } from './declaration/listing.ts';
import { readDeclaration } from './declaration/readDeclaration.ts';
import type { Challenge } from './ownership/challengers.ts';
import { forgetSettlements } from './records/forgetSettlements.ts';
import { type Recorded, recordSettlement } from './records/recordSettlement.ts';
import type { SettledPayment } from './settledPayment.ts';

const FORGET_EVERY_MS = 600_000;

export interface IngestParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: CatalogBounds;
  /** Called when a settlement was cataloged, with the key and the entries it removed. */
  readonly onCataloged: (key: string, recorded: Recorded & { outcome: 'cataloged' }) => void;
  /** Called if another recipient has the key or route, because the paid seller might prove that it is the owner. */
  readonly onRefused?: (challenge: Challenge) => void;
}

export interface Ingest {
  /**
   * Catalogs a settlement that the ledger has decided. Rejects with StoreError if the store could not
   * record it: it is still due in that case.
   */
  take(payment: SettledPayment): Promise<BazaarResponse>;
  /** Whether the last new entry found no room. */
  readonly full: boolean;
}

/**
 * Creates the path of a settlement into the catalog. The checks, in this order, with one reason each
 * (spec: Catalog reasons): there is a discovery extension, the recipient is valid, the declaration
 * follows its rules, the recipient owns the key. A failure here never changes the settlement.
 */
export function createIngest(parts: IngestParts): Ingest {
  const { database, clock, logger, bounds } = parts;
  let full = false;
  let forgotAt = clock.now();

  /** Runs alongside cataloging; if the store refuses, this is tried again later. */
  async function forget(): Promise<void> {
    const now = clock.now();
    if (now - forgotAt < FORGET_EVERY_MS) return;
    try {
      if (!(await forgetSettlements(database, now))) forgotAt = now;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      logger.warn({ reason: error.code }, 'could not delete old settlements');
    }
  }

  async function record(payment: SettledPayment): Promise<BazaarResponse> {
    const read = await readDeclaration(payment.declared, 'settlement');
    if (!read.ok && read.reason === 'no_discovery_extension') return notCataloged(read.reason);
    // Ranking must cost something, so a settlement of zero is neither listed nor counted.
    if (payment.moved === 0n) return notCataloged('binding_refused');
    const payTo = canonicalPayTo(payment.payTo);
    if (payTo === undefined) return notCataloged('invalid_payto');
    if (!read.ok) {
      logger.info({ rule: read.rule, detail: read.detail, hash: payment.hash }, 'not cataloged');
      return notCataloged(read.reason);
    }
    const listing = listedFor(read.listing, payTo);
    const option = { ...payment.option, payTo };
    const { hash, payer, moved, isProved } = payment;
    const settled = { hash, payer, payTo, option, moved, listing, isProved };
    const recorded = await recordSettlement(database, settled, bounds, clock.now());
    if (recorded.outcome !== 'cataloged') {
      if (!recorded.byOperator) parts.onRefused?.({ settled, url: read.paid });
      return notCataloged(recorded.outcome);
    }
    full = false;
    parts.onCataloged(listing.key, recorded);
    await forget();
    return { status: 'success', cataloged: true };
  }

  return {
    async take(payment) {
      try {
        return await record(payment);
      } catch (error) {
        if (error instanceof StoreError) throw error;
        full = error instanceof CatalogFull;
        logger.error({ err: error, hash: payment.hash }, 'cataloging failed');
        return notCataloged('cataloging_error');
      }
    },
    get full() {
      return full;
    },
  };
}

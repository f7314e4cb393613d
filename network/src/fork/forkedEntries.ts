import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerService, NO_MOVES } from '../close/index.ts';
import { putEntry, putTtl } from '../control/index.ts';
import { type DryRun, type LedgerKeyId, ledgerKeyXdr } from '../state/index.ts';
import { ForkError } from './forkError.ts';
import type { ForkOrigin } from './forkOrigin.ts';
import { type RemoteEntry, readRemoteEntries } from './remoteEntries.ts';

const CONFIG_SETTING = 8;
const TTL = 9;
/** Maximum number of dry runs for one prefetch, each of which can reveal further entries. */
const MAX_ROUNDS = 100;

/**
 * The entries of a forked network, copied when they are first read: a ledger adds them to the state, and from then on they are
 * ordinary entries. An entry that was requested once, whether it exists or not, is not requested again.
 */
export class ForkedEntries {
  readonly #service: LedgerService;
  readonly #origin: ForkOrigin;
  readonly #asked = new Set<LedgerKeyId>();
  /** One prefetch at a time, so that no entry is copied twice. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(service: LedgerService, origin: ForkOrigin) {
    this.#service = service;
    this.#origin = origin;
  }

  /**
   * Copies the missing entries that `dryRun` reads, until it reads no new ones. Ignores errors of `dryRun`, because the actual
   * call will report them. @throws ForkError
   */
  prefetch(dryRun: DryRun): Promise<void> {
    const done = this.#last.then(() => this.#prefetch(dryRun));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Makes every entry be requested again from the other network when it is next needed. */
  forget(): void {
    this.#asked.clear();
  }

  async #prefetch(dryRun: DryRun): Promise<void> {
    const { state } = this.#service.engine;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const missed = new Set<LedgerKeyId>();
      try {
        await dryRun((read) => state.noteMissed(missed, read));
      } catch {
        // Usually only because something is missing.
      }
      const wanted = [...missed].filter((id) => isAskable(id) && !this.#asked.has(id));
      if (wanted.length === 0) return;
      const found = await readRemoteEntries(this.#origin.remote, wanted);
      for (const one of found) this.#refuseNewer(one);
      this.#takeOver(found);
      for (const id of wanted) this.#asked.add(id);
    }
  }

  #takeOver(found: readonly RemoteEntry[]): void {
    const { engine } = this.#service;
    const missing = found.filter(({ id }) => engine.state.peek(id) === undefined);
    if (missing.length === 0) return;
    this.#service.amendLedger((ltx) => {
      for (const { id, entry, liveUntil } of missing) {
        putEntry(ltx, engine.networkId, entry);
        if (hasTtl(entry)) putTtl(ltx, id, liveUntil ?? 0);
      }
      return NO_MOVES;
    });
  }

  #refuseNewer({ entry: { lastModifiedLedgerSeq: changed } }: RemoteEntry): void {
    const { at } = this.#origin;
    if (at === undefined || changed <= at) return;
    throw new ForkError(
      'CHANGED_SINCE',
      `An entry was changed in ledger ${changed} of the forked network, after ledger ${at}. Fork a later ledger.`,
    );
  }
}

function isAskable(id: LedgerKeyId): boolean {
  const type = ledgerKeyXdr(id).readInt32BE(0);
  return type !== TTL && type !== CONFIG_SETTING;
}

function hasTtl({ data }: xdr.LedgerEntry): boolean {
  return data.type === 'contractData' || data.type === 'contractCode';
}

import {
  type AuthorizationFate,
  carriedBy,
  type FateReader,
  readFate,
  readNonceUse,
  type SignedTransfer,
  showsNothing,
} from '../../../protocol/fate/index.ts';
import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import { nonceKey } from '../../../protocol/stellar/index.ts';
import { type Clock, within } from '../../clock.ts';
import { RpcError, type StellarNetwork } from '../../network/index.ts';
import { askSettled } from '../schemes/index.ts';
import { mayBeValid, type PresentedAuthorization } from './presented.ts';

/** What one question may cost the RPC server. */
interface ReadBudget {
  /** Searches over more than one ledger. */
  readonly searches: number;
  /** Transactions. */
  readonly transactions: number;
}

/** How often an answer from before an earlier answer is asked for again, and the pause before. */
const READS = 3;
const CATCH_UP_MS = 500;

/**
 * Returns a reader of the ledger that stops at its budget. What exceeds it counts as not in the server's history, so that it
 * proves nothing. An answer from before an earlier answer is not used, because it may lack the payment.
 */
function ledgerReader(
  network: Pick<StellarNetwork, 'readEntries' | 'searchMovements' | 'lookUp' | 'isBehind'>,
  clock: Clock,
  budget: ReadBudget,
): FateReader {
  let { searches, transactions } = budget;
  return {
    async entries(keys) {
      for (let read = 1; ; read++) {
        const { latestLedger, found } = await network.readEntries(keys);
        if (!network.isBehind(latestLedger)) {
          const entries = keys.flatMap((key) => {
            const entry = found.get(key);
            if (entry === undefined) return [];
            return [{ key, data: entry.xdr, lastModifiedLedger: entry.lastModifiedLedgerSeq }];
          });
          return { latestLedger, entries };
        }
        if (read >= READS) {
          throw new RpcError('bad_answer', 'getLedgerEntries', 'the server lags behind the ledger');
        }
        await clock.sleep(CATCH_UP_MS);
      }
    },
    async movements(movement, range) {
      if (range.end > range.start && searches-- <= 0) return undefined;
      return network.searchMovements(movement, range);
    },
    async transaction(hash) {
      if (transactions-- <= 0) return undefined;
      const found = await network.lookUp(hash);
      if (found.status === 'NOT_FOUND' || found.envelope === undefined) return undefined;
      const { ledger, envelope, movements } = found;
      return { hash, ledger, envelope, movements, successful: found.status === 'SUCCESS' };
    },
  };
}

/** Anyone can invent an authorization, so it gets no search over more than the ledger that used its nonce. */
const INVENTED: ReadBudget = { searches: 0, transactions: 20 };
/** For an authorization that its payer has signed: 15,000 ledgers, most of a day. */
const SIGNED: ReadBudget = { searches: 3, transactions: 60 };
/** Searches over many ledgers at a time, all callers together. */
const MAX_SEARCHES_AT_ONCE = 4;
/** Time for one answer. Callers wait for it, and an unanswered question is answered `unknown`. */
const ANSWER_WITHIN_MS = 2_500;

/** A payment that the journal has is stated from there, unless the ledger contradicts it within this time. */
const UNUSED_WITHIN_MS = 500;

const UNREADABLE: AuthorizationFate = { state: 'unknown', because: 'unreadable' };
const NOT_FOUND: AuthorizationFate = { state: 'unknown', because: 'not_found' };

/** How long the contract's record of a settlement outlives its terms (`contracts/README.md`). */
const UPTO_RECORD_LEDGERS = 17_280;

type Upto = Extract<PresentedAuthorization['pays'], { readonly by: 'upto' }>;

/**
 * Reads from the ledger what became of an authorization, regardless of who submitted it. The time and the number of calls are bounded,
 * because strangers ask.
 */
export class FateSource {
  readonly #network: StellarNetwork;
  readonly #clock: Clock;
  #searching = 0;

  constructor(network: StellarNetwork, clock: Clock) {
    this.#network = network;
    this.#clock = clock;
  }

  /** Returns the fate of an authorization; `unknown` if the ledger does not answer in time. */
  async read(presented: PresentedAuthorization): Promise<AuthorizationFate> {
    return this.#inTime(() => this.#read(presented));
  }

  /**
   * Whether the ledger shows that nothing has used an authorization that it would still accept, although the journal has a payment
   * with it: a network in memory can be taken back to an earlier state. Only two agreeing answers show that.
   * @param paidIn ledger of that payment: an earlier one shows nothing
   */
  async isUnused(presented: PresentedAuthorization, paidIn: number): Promise<boolean> {
    for (let read = 0; read < 2; read++) {
      const fate = await this.#inTime(() => this.#readUse(presented, paidIn), UNUSED_WITHIN_MS);
      if (fate.state !== 'open') return false;
    }
    return true;
  }

  async #readUse({ pays }: PresentedAuthorization, paidIn: number): Promise<AuthorizationFate> {
    const until = pays.by === 'upto' ? pays.expirationLedger : pays.transfer.expirationLedger;
    const { isUsed, latestLedger } = await this.#readRecord(pays);
    const isOpen = !isUsed && latestLedger >= paidIn && latestLedger < until;
    return isOpen ? { state: 'open', until } : NOT_FOUND;
  }

  /** Whether the ledger has a record that something used the authorization. */
  async #readRecord(pays: PresentedAuthorization['pays']): Promise<{
    readonly isUsed: boolean;
    readonly latestLedger: number;
  }> {
    if (pays.by === 'upto') {
      const answer = await askSettled(pays.call, this.#network);
      const latestLedger = answer?.latestLedger ?? 0;
      return { isUsed: answer?.amount !== undefined, latestLedger };
    }
    const { from, nonce } = pays.transfer;
    const reader = ledgerReader(this.#network, this.#clock, INVENTED);
    const { entries, latestLedger } = await reader.entries([nonceKey(from, nonce).toXdr('base64')]);
    return { isUsed: entries.length > 0, latestLedger };
  }

  /** Returns what the ledger has of a transaction that the journal does not have. */
  async readTransaction(hash: SettlementHash): Promise<AuthorizationFate> {
    return this.#inTime(async () => {
      const found = await this.#network.lookUp(hash);
      if (found.status !== 'SUCCESS' || found.envelope === undefined) return NOT_FOUND;
      // Any other transaction says nothing about a payment.
      const transfers = carriedBy(found.envelope).flatMap(({ transfer }) => transfer ?? []);
      if (transfers.length === 0) return NOT_FOUND;
      if (transfers.every((transfer) => showsNothing(found, transfer))) {
        return { state: 'unknown', because: 'shows_nothing' };
      }
      return { state: 'paid', hash, ledger: found.ledger, evidence: 'nonce' };
    });
  }

  /** Returns what the ledger has of a payer's nonce, without its authorization. */
  async readNonce(payer: StellarAddress, nonce: bigint): Promise<AuthorizationFate> {
    return this.#inTime(() =>
      readNonceUse({ from: payer, nonce }, ledgerReader(this.#network, this.#clock, INVENTED)),
    );
  }

  /** Bounds the time of a question. */
  async #inTime(
    ask: () => Promise<AuthorizationFate>,
    ms = ANSWER_WITHIN_MS,
  ): Promise<AuthorizationFate> {
    const reading = ask().catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
      return UNREADABLE;
    });
    return (await within(reading, ms, this.#clock)) ?? UNREADABLE;
  }

  async #read({ signature, pays }: PresentedAuthorization): Promise<AuthorizationFate> {
    const fate =
      pays.by === 'upto'
        ? await this.#readUpto(pays)
        : await this.#readTransfer(pays.transfer, signature === 'valid');
    // Nobody else can make it valid: a signature covers everything that could be changed.
    return fate.state === 'open' && !mayBeValid(signature)
      ? { state: 'void', evidence: 'never_valid' }
      : fate;
  }

  /** Reads twice what would be reported as never paid: one answer may be of a server that is behind or wrong. */
  async #readTransfer(transfer: SignedTransfer, isSigned: boolean): Promise<AuthorizationFate> {
    const searches = isSigned && this.#searching < MAX_SEARCHES_AT_ONCE;
    const budget = searches ? SIGNED : INVENTED;
    if (searches) this.#searching += 1;
    try {
      const reader = () => ledgerReader(this.#network, this.#clock, budget);
      const first = await readFate(transfer, reader());
      if (first.state !== 'void') return first;
      const second = await readFate(transfer, reader());
      if (second.state === 'void' || second.state === 'paid') return second;
      return UNREADABLE;
    } finally {
      if (searches) this.#searching -= 1;
    }
  }

  async #readUpto(pays: Upto): Promise<AuthorizationFate> {
    const first = await this.#askContract(pays);
    if (first.state !== 'void') return first;
    const second = await this.#askContract(pays);
    return second.state === 'void' || second.state === 'paid' ? second : UNREADABLE;
  }

  /** The contract keeps a record of what it has settled for long enough after the terms expire. */
  async #askContract({ call, expirationLedger }: Upto): Promise<AuthorizationFate> {
    const answer = await askSettled(call, this.#network);
    if (answer === undefined) return UNREADABLE;
    const { amount, latestLedger } = answer;
    // Anyone who has the entry can settle it at zero: then no money moved, and none can.
    if (amount === 0n) return { state: 'void', evidence: 'settled_at_zero' };
    if (amount !== undefined) {
      return { state: 'paid', hash: undefined, ledger: undefined, evidence: 'contract_record' };
    }
    if (this.#network.isBehind(latestLedger)) return UNREADABLE;
    if (latestLedger < expirationLedger) return { state: 'open', until: expirationLedger };
    return latestLedger < call.expirationLedger + UPTO_RECORD_LEDGERS
      ? { state: 'void', evidence: 'searched' }
      : { state: 'unknown', because: 'history_too_short' };
  }
}

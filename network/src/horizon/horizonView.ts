import type { LedgerService } from '../close/index.ts';
import type { LedgerHistory } from '../history/index.ts';
import type { LedgerState } from '../state/index.ts';
import { timeText } from './format/time.ts';
import { HistoryTransactions } from './history/historyTransaction.ts';
import type { ChooseLedgers } from './historyIndex/collectPage.ts';
import { LedgerIndex } from './historyIndex/ledgerIndex.ts';
import type { OpenAnswers } from './http/openAnswers.ts';
import { StateIndexes } from './state/stateIndexes.ts';

/** How many close times are cached: a page of entries needs one for each. */
const CLOSE_TIMES = 10_000;

/** The network, as Horizon's resources read it. */
export class HorizonView {
  readonly network: HorizonNetwork;
  readonly indexes: StateIndexes;
  readonly transactions: HistoryTransactions;
  readonly #ledgerIndex: LedgerIndex;
  /** Close times in seconds since 1970, by ledger. */
  readonly #closeTimes = new Map<number, number>();

  constructor(network: HorizonNetwork) {
    const { service } = network;
    this.network = network;
    this.indexes = new StateIndexes(() => service.engine.state);
    this.transactions = new HistoryTransactions(service.engine.networkId);
    this.#ledgerIndex = new LedgerIndex(() => service.history, this.transactions);
  }

  /** Chooses the ledgers that might contain items for a key. */
  ledgersOf(key: string): ChooseLedgers {
    return (from, to, order) => this.#ledgerIndex.ledgers(key, from, to, order);
  }

  get state(): LedgerState {
    return this.network.service.engine.state;
  }

  get history(): LedgerHistory {
    return this.network.service.history;
  }

  /** When a ledger closed; null if no longer known. */
  closeTimeText(sequence: number): string | null {
    if (sequence < this.history.oldestSequence) return null;
    const known = this.#closeTimes.get(sequence);
    if (known !== undefined) return timeText(known);
    const ledger = this.history.ledger(sequence);
    if (ledger === undefined) return null;
    if (this.#closeTimes.size === CLOSE_TIMES) this.#closeTimes.clear();
    this.#closeTimes.set(sequence, ledger.closeTime);
    return timeText(ledger.closeTime);
  }
}

/** The network that Horizon serves. */
export interface HorizonNetwork {
  readonly service: Pick<LedgerService, 'engine' | 'fault' | 'history' | 'submit' | 'onClose'>;
  readonly passphrase: string;
  /** Null if it cannot be reached through a port. */
  readonly friendbotUrl: string | null;
  /** Open answers, to be ended when the network stops; without it, they end by themselves. */
  readonly openAnswers?: OpenAnswers;
  /** Called with errors that clients see only as an internal error. */
  readonly onFault?: (fault: Error) => void;
}

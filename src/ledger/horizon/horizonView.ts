import type { LedgerHistory } from '../history/index.ts';
import type { LedgerState } from '../state/index.ts';
import type { HorizonNetwork } from './horizonNetwork.ts';
import { StateIndexes } from './state/stateIndexes.ts';
import { timeText } from './text/time.ts';

/** The network as the resources of Horizon read it. */
export class HorizonView {
  readonly network: HorizonNetwork;
  readonly indexes: StateIndexes;

  constructor(network: HorizonNetwork) {
    this.network = network;
    this.indexes = new StateIndexes(() => network.service.engine.state);
  }

  get state(): LedgerState {
    return this.network.service.engine.state;
  }

  get history(): LedgerHistory {
    return this.network.service.history;
  }

  /** When a ledger closed; null where it is no longer known. */
  closeTimeText(sequence: number): string | null {
    const ledger = this.history.ledger(sequence);
    return ledger === undefined ? null : timeText(ledger.closeTime);
  }
}

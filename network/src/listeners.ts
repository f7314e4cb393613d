import type { LedgerService } from './close/index.ts';
import type { ClosedLedger } from './history/index.ts';
import type { TraceOption } from './ledgerOptions.ts';
import { writeFileAtomically } from './persistence/index.ts';
import type { SimulatedInvocation } from './rpc/index.ts';
import {
  type AddressNames,
  CostCollector,
  traceSimulation,
  traceTransaction,
} from './trace/index.ts';

/** Traces the transactions and simulations of a network. */
export class TraceListener {
  readonly #service: LedgerService;
  readonly #names: AddressNames;
  readonly #option: TraceOption;
  readonly #onFault: (fault: Error) => void;

  constructor(
    service: LedgerService,
    names: AddressNames,
    option: TraceOption,
    onFault: (fault: Error) => void,
  ) {
    this.#service = service;
    this.#names = names;
    this.#option = option;
    this.#onFault = onFault;
    service.onClose((ledger) => this.#closed(ledger));
  }

  simulated(simulation: SimulatedInvocation): void {
    if (simulation.outcome.ok && this.#option.of === 'failed') return;
    this.#attempt(() => {
      const { state } = this.#service.engine;
      this.#option.onTrace(traceSimulation(simulation, state, this.#names));
    });
  }

  #closed(ledger: ClosedLedger): void {
    for (const transaction of ledger.transactions) {
      if (transaction.successful && this.#option.of === 'failed') continue;
      this.#attempt(() => {
        const { engine } = this.#service;
        const trace = traceTransaction({ ledger, transaction }, engine, this.#names);
        if (!trace.successful || trace.steps.length > 0) this.#option.onTrace(trace);
      });
    }
  }

  /** A failing trace must not keep ledgers from closing. */
  #attempt(show: () => void): void {
    try {
      show();
    } catch (error) {
      this.#onFault(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Writes the recorded costs. */
export interface CostRecorder {
  write(): void;
}

/**
 * Records from now on what the calls of each transaction consume.
 * @param path of the report
 */
export function recordCosts(
  service: LedgerService,
  path: string,
  onFault: (fault: Error) => void,
): CostRecorder {
  const costs = new CostCollector();
  service.onClose((ledger) => {
    // A failing report must not keep ledgers from closing.
    try {
      for (const transaction of ledger.transactions) costs.add(transaction, service.engine);
    } catch (error) {
      onFault(error instanceof Error ? error : new Error(String(error)));
    }
  });
  return {
    write: () => {
      const { ledgerVersion } = service.engine.state.header;
      const text = `${JSON.stringify(costs.report(ledgerVersion), undefined, 2)}\n`;
      writeFileAtomically(path, [Buffer.from(text)]);
    },
  };
}

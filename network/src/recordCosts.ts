import type { LedgerService } from './close/index.ts';
import { writeFileAtomically } from './persistence/index.ts';
import { CostCollector } from './trace/index.ts';

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

import type { ReplayFile } from './replayFiles.ts';
import type { LedgerVerdict } from './replayLedgers.ts';

/** Counts of one folder. */
export interface FolderCount {
  files: number;
  passed: number;
  failed: number;
  transactions: number;
}

/** Collects verdicts by folder. */
export class ReplayReport {
  readonly #folders = new Map<string, FolderCount>();

  add({ folder }: ReplayFile, verdicts: readonly LedgerVerdict[]): void {
    const count = this.#folders.get(folder) ?? { files: 0, passed: 0, failed: 0, transactions: 0 };
    count.files += 1;
    for (const { difference, transactions } of verdicts) {
      if (difference === undefined) count.passed += 1;
      else count.failed += 1;
      count.transactions += transactions;
    }
    this.#folders.set(folder, count);
  }

  get failed(): number {
    return this.#sum('failed');
  }

  /** A table by folder, with the totals as the last line. */
  lines(): string[] {
    const rows = [...this.#folders].map(([folder, count]) => [
      folder,
      ...[count.files, count.transactions, count.passed, count.failed].map(String),
    ]);
    const table = [['folder', 'files', 'transactions', 'passed', 'failed'], ...rows];
    const widths = (table[0] ?? []).map((_, at) =>
      Math.max(...table.map((row) => row[at]?.length ?? 0)),
    );
    return [
      ...table.map((row) => row.map((cell, at) => align(cell, widths[at] ?? 0, at)).join('  ')),
      `${this.#sum('passed')} passed, ${this.failed} failed`,
    ];
  }

  #sum(field: keyof FolderCount): number {
    return [...this.#folders.values()].reduce((sum, count) => sum + count[field], 0);
  }
}

/** Describes the first difference of a ledger in one line. */
export function failureLine(file: ReplayFile, { ledgerSeq, difference }: LedgerVerdict): string {
  if (difference === undefined) return '';
  const { path, expected, got } = difference;
  return `${file.path} ${file.name} ledger ${ledgerSeq}: ${path}: expected ${expected}, got ${got}`;
}

function align(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

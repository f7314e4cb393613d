import type { FileRows } from './row.ts';
import { BUYERS } from './rows/buyers.ts';
import { EDITOR } from './rows/editor.ts';
import { FAILURES } from './rows/failures.ts';
import { PAGES } from './rows/pages.ts';
import { SELLER } from './rows/seller.ts';
import { SERVICE } from './rows/service.ts';

/** A part of the table, under its heading. */
export interface Part {
  readonly title: string;
  readonly rows: readonly FileRows[];
}

export const MONEY_TABLE: readonly Part[] = [
  { title: 'What the service answers', rows: SERVICE },
  { title: 'Failures, and the pages about them', rows: FAILURES },
  { title: 'SDK, command line, and tools for agents', rows: BUYERS },
  { title: 'Sellers and the proxy', rows: SELLER },
  { title: 'The editor', rows: EDITOR },
  { title: 'Pages', rows: PAGES },
];

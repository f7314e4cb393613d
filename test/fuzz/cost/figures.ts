/** Names of the accounts whose payments settle. */
export const PAYERS = ['cost payer 1', 'cost payer 2', 'cost payer 3', 'cost payer 4'] as const;

/** What the service's process says of itself. All but `sockets`, `rows` and bytes only grow. */
export interface Figures {
  /** CPU of the process with all of its threads, in milliseconds. */
  readonly cpuMs: number;
  /** CPU of the thread that serves, in milliseconds. */
  readonly loopMs: number;
  readonly rssBytes: number;
  /** Heap, and what buffers have outside of it. */
  readonly heapBytes: number;
  readonly sockets: number;
  /** Rows of the store in all tables; -1 where they were not counted. */
  readonly rows: number;
}

/** Where the service is, and what exists there that inputs can name. */
export interface Started {
  readonly facilitator: string;
  readonly ledger: string;
  /** A network of its own for the methods of control, which change what others rely on. */
  readonly control: string;
  readonly operatorToken: string;
  readonly payer: string;
  readonly seller: string;
  readonly wallet: string;
  /** Id of a policy that was generated for it. */
  readonly policy: string;
  readonly transaction: string;
  readonly envelope: string;
  /** A key of an entry, as getLedgerEntries takes it. */
  readonly entryKey: string;
  /** A transaction whose contract never returns. */
  readonly spin: string;
  /** Transactions whose contract writes very many or very large events. */
  readonly loud: readonly string[];
  /** Hash of such a one that a ledger included. */
  readonly loudTransaction: string;
}

export type Question =
  | { readonly ask: 'figures'; readonly rows: boolean; readonly collect: boolean }
  | { readonly ask: 'mcp'; readonly tool: string; readonly input: unknown }
  | { readonly ask: 'control' };

export type Reply =
  | { readonly figures: Figures }
  | { readonly bytes: number; readonly refused: boolean }
  | { readonly control: string };

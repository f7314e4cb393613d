/** What an attack may have changed. Each has a fact that is read before an attack and after it. */
export const THINGS = [
  'catalog',
  'settlements',
  'policies',
  'ledger',
  'sponsor',
  'files',
  'inner network',
  'process',
] as const;

export type Thing = (typeof THINGS)[number];

/** The state of each thing at a moment, as a text that changes with it. */
export type Facts = Readonly<Record<Thing, string>>;

/** One thing that a stranger tries. */
export interface Attack<W> {
  /** What is sent. */
  readonly name: string;
  /** What the service answers when the attack fails: a status with a code, or another visible result. */
  readonly refused: string;
  /** What the attack may change, such as the ledger when the stranger pays with its own money. */
  readonly changes?: readonly Thing[];
  /** Tries it and returns the answer in the form of `refused`. */
  readonly run: (world: W) => Promise<string>;
}

/** Attacks of one kind. */
export interface AttackTable<W> {
  readonly kind: string;
  /** Whether the attacks wait for a deadline of the service: they are tried at the same time. */
  readonly together?: boolean;
  readonly attacks: readonly Attack<W>[];
}

/** The result of an attack. */
export type Outcome =
  | { readonly held: true }
  | { readonly held: false; readonly why: readonly string[] };

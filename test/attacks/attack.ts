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

/** What each thing is at a moment, as a text that differs when the thing does. */
export type Facts = Readonly<Record<Thing, string>>;

/** One thing that a stranger tries. */
export interface Attack<W> {
  /** What is sent. */
  readonly name: string;
  /** What the service answers when it holds: a status with a code, or what can be seen otherwise. */
  readonly refused: string;
  /** What the attack changes by right, such as the ledger when the stranger pays with its own money. */
  readonly changes?: readonly Thing[];
  /** Tries it and gives what came back, in the words of `refused`. */
  readonly run: (world: W) => Promise<string>;
}

/** Attacks of one kind. */
export interface AttackTable<W> {
  readonly kind: string;
  /** Whether the attacks wait for a deadline of the service: they are tried at the same time. */
  readonly together?: boolean;
  readonly attacks: readonly Attack<W>[];
}

/** What became of an attack. */
export type Outcome =
  | { readonly held: true }
  | { readonly held: false; readonly why: readonly string[] };

import type { Random } from '../helpers/random.ts';
import type { TestKey } from '../support/payer.ts';
import { testKey } from '../support/payer.ts';
import { PAYER, SELLER } from '../support/payment.ts';
import type { TokenMood } from './modelLedger.ts';

/** Under what a simulation sells, beside the faults that all have. */
export interface Circumstance {
  readonly name: string;
  /** Facilitators, each with a store, a sponsor and channels of its own. */
  readonly facilitators: 1 | 2;
  /** Of all payments: those whose operation somebody else sends to the network, too. */
  readonly sentElsewhere: number;
  /** Of all payments: those that the payer signs again, with the same nonce and a later expiration. */
  readonly signedAgain: number;
  /** Of all restarts: those before which the store was set back, and by how long at most. */
  readonly setBack: { readonly chance: number; readonly mostMs: number };
  /** Whether an operator deletes finished rows. */
  readonly trims: boolean;
  /** Of all questions: those whose client leaves early, and of these clients: those that never come back. */
  readonly leaves: { readonly chance: number; readonly forGood: number };
  readonly payer: TestKey;
  readonly seller: TestKey;
  /** Issuer of the asset, if it takes part. */
  readonly issuer: TestKey | undefined;
  readonly token: ((amount: bigint, random: Random) => TokenMood) | undefined;
  /** Whether one service has all that is known: it reports each payment, and sells it exactly once. */
  readonly isComplete: boolean;
}

const FAIR: Circumstance = {
  name: 'fair',
  facilitators: 1,
  sentElsewhere: 0,
  signedAgain: 0,
  setBack: { chance: 0, mostMs: 0 },
  trims: false,
  leaves: { chance: 0, forGood: 0 },
  payer: PAYER,
  seller: SELLER,
  issuer: undefined,
  token: undefined,
  isComplete: true,
};
const ISSUER = testKey('issuer');
const partial = (name: string, rest: Partial<Circumstance>): Circumstance => ({
  ...FAIR,
  ...{ name, isComplete: false },
  ...rest,
});

/** A token that decides again in each transaction what it moves, and what it reports of it. */
function lie(amount: bigint, random: Random): TokenMood {
  const moves = random.pick([amount, amount, 0n, 1n, (amount * 9n) / 10n]);
  return { moves, reports: random.chance(0.3) ? undefined : random.pick([moves, amount]) };
}

/** Every circumstance, by a name of its own. */
export const CIRCUMSTANCES: readonly Circumstance[] = [
  FAIR,
  partial('two facilitators without a common store', { facilitators: 2 }),
  partial('the seller sends it, too', { sentElsewhere: 0.5 }),
  partial('the journal is restored', { setBack: { chance: 0.7, mostMs: 300_000 } }),
  partial('the last seconds are lost', { setBack: { chance: 0.9, mostMs: 3_000 } }),
  partial('the token lies', { token: lie }),
  partial('rows are deleted', { trims: true }),
  partial('signed twice with one nonce', { signedAgain: 0.5 }),
  partial('the issuer sells', { issuer: ISSUER, seller: ISSUER, sentElsewhere: 0.3 }),
  partial('the issuer buys', { issuer: ISSUER, payer: ISSUER, sentElsewhere: 0.3 }),
  partial('clients give up', { leaves: { chance: 0.5, forGood: 0.3 } }),
];

/** Returns the circumstance of a name. @throws RangeError for any other name */
export function circumstanceNamed(name: string): Circumstance {
  const found = CIRCUMSTANCES.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new RangeError(
    `no circumstance '${name}'. There are: ${CIRCUMSTANCES.map((one) => one.name).join(', ')}.`,
  );
}

/** Returns the circumstance of a seed: they take turns. */
export function circumstanceOf(seed: number): Circumstance {
  return CIRCUMSTANCES[seed % CIRCUMSTANCES.length] ?? FAIR;
}

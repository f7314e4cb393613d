import * as z from 'zod/mini';
import { parseContractAddress } from '../../protocol/index.ts';
import {
  MaxAmountExceededError,
  type PaymentOutcome,
  type SentPayment,
  X402NotConfiguredError,
} from '../exact/index.ts';

/**
 * Stores a session's spending across restarts. Only one process at a time may use a store.
 * `spendingFile` is one.
 */
export interface SpendingStore {
  /** Returns the last text written; `undefined` if there is none. */
  read(): Promise<string | undefined>;
  /** Stores a text, and resolves once it is stored. */
  write(text: string): Promise<void>;
}

/** Maximum spending per asset, in atomic units: the same for every asset, or by contract. */
export type SessionCeiling = bigint | Readonly<Record<string, bigint>>;

/** The spending of one asset, in atomic units. */
export interface SpentOfAsset {
  /** Contract (`C…`). */
  readonly asset: string;
  /** Settled, or the seller delivered the resource. */
  readonly spent: bigint;
  /** Sent, but the ledger does not show yet whether it settled. It counts as spent until then. */
  readonly open: bigint;
  /** `undefined` without a ceiling. */
  readonly ceiling: bigint | undefined;
}

/** Number of open payments to look up at once: each takes one or two requests. */
const MAX_LOOKED_UP = 50;

const amount = z.string().check(z.regex(/^\d{1,39}$/));
const stateSchema = z.object({
  version: z.literal(1),
  spent: z.record(z.string(), amount),
  open: z.array(
    z.object({
      payer: z.string(),
      nonce: z.string().check(z.regex(/^-?\d{1,20}$/)),
      asset: z.string(),
      payTo: z.string(),
      amount,
      signedLedger: z.number(),
      expirationLedger: z.number(),
    }),
  ),
});

/**
 * Counts a session's spending. A payment is stored before it is sent, and counts as spent until the ledger
 * shows that it can never settle.
 */
export class SessionBudget {
  readonly #ceiling: SessionCeiling | undefined;
  readonly #store: SpendingStore | undefined;
  readonly #lookUp: (payment: SentPayment) => Promise<PaymentOutcome>;
  readonly #spent = new Map<string, bigint>();
  /** Sent, by nonce. */
  readonly #open = new Map<bigint, SentPayment>();
  /** Reserved during signing: not sent yet. */
  readonly #signing = new Map<symbol, { readonly asset: string; readonly amount: bigint }>();
  #loaded: Promise<void> | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(
    ceiling: SessionCeiling | undefined,
    store: SpendingStore | undefined,
    lookUp: (payment: SentPayment) => Promise<PaymentOutcome>,
  ) {
    this.#ceiling = ceiling;
    this.#store = store;
    this.#lookUp = lookUp;
  }

  /**
   * Reserves an amount. The returned function releases it, unless it was sent.
   * @throws MaxAmountExceededError if the ceiling does not allow it
   */
  async reserve(asset: string, amount: bigint): Promise<() => void> {
    await this.#load();
    if (!this.#fits(asset, amount)) await this.settleOpen();
    if (!this.#fits(asset, amount)) {
      const left = (this.#ceilingOf(asset) ?? 0n) - this.#committed(asset);
      throw new MaxAmountExceededError(amount, left > 0n ? left : 0n);
    }
    const reservation = Symbol(asset);
    this.#signing.set(reservation, { asset, amount });
    return () => this.#signing.delete(reservation);
  }

  /** Stores a payment that is about to be sent. */
  async open(payment: SentPayment): Promise<void> {
    this.#open.set(payment.nonce, payment);
    await this.#keep();
  }

  /** Records the outcome of a payment that was sent. It stays open until the ledger shows that it settled or never can. */
  async close(nonce: bigint, moneyMoved: PaymentOutcome['moneyMoved']): Promise<void> {
    const payment = this.#open.get(nonce);
    if (payment === undefined || (moneyMoved !== 'yes' && moneyMoved !== 'no')) return;
    this.#open.delete(nonce);
    if (moneyMoved === 'yes') this.#add(payment.asset, payment.amount);
    await this.#keep();
  }

  /** Looks up all open payments on the ledger. */
  async settleOpen(): Promise<void> {
    await this.#load();
    for (const payment of [...this.#open.values()].slice(0, MAX_LOOKED_UP)) {
      const outcome = await this.#lookUp(payment).catch(() => undefined);
      if (outcome !== undefined) await this.close(payment.nonce, outcome.moneyMoved);
    }
  }

  /** Returns the spending by asset. */
  async spending(): Promise<readonly SpentOfAsset[]> {
    await this.#load();
    const named = typeof this.#ceiling === 'object' ? Object.keys(this.#ceiling) : [];
    const open = [...this.#open.values()].map(({ asset }) => asset);
    return [...new Set([...named, ...this.#spent.keys(), ...open])].map((asset) => ({
      asset,
      spent: this.#spent.get(asset) ?? 0n,
      open: this.#sum(this.#open.values(), asset),
      ceiling: this.#ceilingOf(asset),
    }));
  }

  #fits(asset: string, amount: bigint): boolean {
    const ceiling = this.#ceilingOf(asset);
    return ceiling === undefined || this.#committed(asset) + amount <= ceiling;
  }

  #ceilingOf(asset: string): bigint | undefined {
    return typeof this.#ceiling === 'object' ? (this.#ceiling[asset] ?? 0n) : this.#ceiling;
  }

  #committed(asset: string): bigint {
    const sent = this.#sum(this.#open.values(), asset);
    return (this.#spent.get(asset) ?? 0n) + sent + this.#sum(this.#signing.values(), asset);
  }

  #sum(parts: Iterable<{ readonly asset: string; readonly amount: bigint }>, asset: string) {
    let sum = 0n;
    for (const part of parts) if (part.asset === asset) sum += part.amount;
    return sum;
  }

  #add(asset: string, amount: bigint): void {
    this.#spent.set(asset, (this.#spent.get(asset) ?? 0n) + amount);
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #read(): Promise<void> {
    const text = await this.#store?.read();
    if (text === undefined) return;
    const parsed = z.safeParse(stateSchema, parseJson(text));
    if (!parsed.success) {
      throw new X402NotConfiguredError('The spending store contains other data. Empty it first.');
    }
    for (const [asset, spent] of Object.entries(parsed.data.spent)) this.#add(asset, BigInt(spent));
    for (const { nonce, amount, ...payment } of parsed.data.open) {
      this.#open.set(BigInt(nonce), { ...payment, nonce: BigInt(nonce), amount: BigInt(amount) });
    }
  }

  /** Writes the latest state, one write at a time. */
  async #keep(): Promise<void> {
    const store = this.#store;
    if (store === undefined) return;
    const write = this.#written.then(() => store.write(this.#state()));
    this.#written = write.catch(() => undefined);
    await write;
  }

  #state(): string {
    const open = [...this.#open.values()].map(({ nonce, amount, ...payment }) => ({
      ...payment,
      nonce: `${nonce}`,
      amount: `${amount}`,
    }));
    const spent = Object.fromEntries([...this.#spent].map(([asset, sum]) => [asset, `${sum}`]));
    return JSON.stringify({ version: 1, spent, open });
  }
}

/** @throws X402NotConfiguredError if it is not a ceiling */
export function checkCeiling(ceiling: unknown): void {
  if (ceiling === undefined) return;
  const isAmount = (value: unknown) => typeof value === 'bigint' && value >= 0n;
  const byAsset =
    typeof ceiling === 'object' &&
    ceiling !== null &&
    Object.entries(ceiling).every(
      ([asset, value]) => parseContractAddress(asset) !== undefined && isAmount(value),
    );
  if (byAsset || isAmount(ceiling)) return;
  throw new X402NotConfiguredError(
    'sessionCeiling is a bigint of atomic units, or an object of contracts with one each.',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { ContractAddress, StellarAddress } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';

/** A payer's spendable amount of an asset at a ledger; `undefined` if it cannot be read. */
export interface Holding {
  readonly held: bigint | undefined;
  readonly ledger: number;
}

/** Amounts that settlements in flight take from a payer. */
export interface UnderWay {
  readonly count: number;
  readonly amount: bigint;
}

/** A payment that is ready for submission. */
export interface FundsRequest {
  /** Id of its settlement. */
  readonly id: string;
  readonly payer: StellarAddress;
  readonly asset: ContractAddress;
  /** Atomic units. */
  readonly amount: bigint;
  /** Maximum wait for the payer's other settlements. */
  readonly waitMs: number;
  /** Maximum number of settlements in flight of this payer in this asset. */
  readonly most: number;
  /** Reads the payer's spendable amount. Rejects with RpcError. */
  readHolding(): Promise<Holding>;
}

/** Funds reserved for a payment until the ledger has decided. */
export interface Commitment {
  /** @param settledIn ledger in which the payment moved; `undefined` when it moved nothing */
  close(settledIn: number | undefined): void;
}

export type FundsAnswer =
  | { readonly status: 'committed'; readonly commitment: Commitment }
  /** The payer's balance is below the payment's amount. */
  | { readonly status: 'lacking'; readonly held: bigint }
  /** The payer's other settlements took longer than the maximum wait. */
  | { readonly status: 'busy' };

/** Settlements in flight at other instances that share the store. Methods reject with StoreError. */
export interface SharedFunds {
  underWay(payer: StellarAddress, asset: ContractAddress): Promise<UnderWay>;
  /** Records whether a settlement waits for its payer's funds; a waiting one uses none of them. */
  waits(id: string, waiting: boolean): Promise<void>;
}

/** Maximum age of a balance reading, since the payer may have spent elsewhere. */
const HOLDING_LASTS_MS = 10_000;
/** How often to query the ledger and the other instances while nothing changes here. */
const LOOK_MS = 500;
const NOTHING: UnderWay = { count: 0, amount: 0n };

/** A pause that varies by settlement, so that two settlements that check at the same time do not collide forever. */
function pauseOf(id: string, look: number): number {
  let sum = look;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % LOOK_MS;
  return LOOK_MS + sum;
}

/** A first-come, first-served queue for one holder at a time. */
class WaitingLine {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #taken = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether nobody holds a turn or waits for one. */
  get isEmpty(): boolean {
    return !this.#taken && this.#waiting.size === 0;
  }

  /** @returns false if the turn did not come in time; otherwise the caller must call `leave` */
  async enter(waitMs: number): Promise<boolean> {
    if (!this.#taken) {
      this.#taken = true;
      return true;
    }
    return new Promise((resolve) => {
      const serve = (): void => {
        giveUp();
        resolve(true);
      };
      const giveUp = this.#clock.after(waitMs, () => {
        this.#waiting.delete(serve);
        resolve(false);
      });
      this.#waiting.add(serve);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** One payer in one asset, while it has settlements in flight. */
class Account {
  readonly line: WaitingLine;
  /** Unanswered requests. */
  asking = 0;
  readonly live = new Map<string, bigint>();
  readonly changed = new Set<() => void>();
  #settled: { readonly ledger: number; readonly amount: bigint }[] = [];
  #holding: (Holding & { readonly at: number }) | undefined;

  constructor(clock: Clock) {
    this.line = new WaitingLine(clock);
  }

  close(id: string, settledIn: number | undefined): void {
    const amount = this.live.get(id);
    if (amount === undefined) return;
    this.live.delete(id);
    if (settledIn !== undefined) this.#settled.push({ ledger: settledIn, amount });
    for (const wake of [...this.changed]) wake();
  }

  holdingAt(holding: Holding, at: number): void {
    this.#holding = { ...holding, at };
    this.#settled = this.#settled.filter(({ ledger }) => ledger > holding.ledger);
  }

  /** Funds left according to the last balance reading; `undefined` without a recent successful one. */
  free(now: number): bigint | undefined {
    if (this.#holding?.held === undefined || now - this.#holding.at > HOLDING_LASTS_MS) {
      return undefined;
    }
    const { held, ledger } = this.#holding;
    let free = held;
    for (const amount of this.live.values()) free -= amount;
    for (const one of this.#settled) if (one.ledger > ledger) free -= one.amount;
    return free;
  }
}

/**
 * Submits a payer's payments only as far as its funds cover them, so that a burst cannot fail on the ledger at the sponsor's
 * expense. Other payments wait in order of arrival. The balance of a payer with nothing else in flight is not read, because the
 * payment's simulation checks it.
 */
export class PayerFunds {
  readonly #clock: Clock;
  readonly #shared: SharedFunds | undefined;
  readonly #accounts = new Map<string, Account>();
  /** The settlements whose requests wait for the store. */
  readonly #atStore = new Set<string>();
  /** When payments were settled last, by payer and asset, in order; of the last seconds. */
  readonly #settledAt = new Map<string, number>();

  constructor(clock: Clock, shared: SharedFunds | undefined) {
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Reserves funds, or waits until that is possible. Rejects with RpcError and StoreError. */
  async commit(request: FundsRequest): Promise<FundsAnswer> {
    const key = `${request.payer} ${request.asset}`;
    const account = this.#accounts.get(key) ?? new Account(this.#clock);
    this.#accounts.set(key, account);
    account.asking++;
    const deadline = this.#clock.now() + request.waitMs;
    try {
      const waits = !account.line.isEmpty;
      if (waits) await this.#markWaiting(request, true);
      if (!(await account.line.enter(deadline - this.#clock.now()))) return { status: 'busy' };
      try {
        return await this.#serve(account, request, waits, deadline, () => this.#forget(key));
      } finally {
        account.line.leave();
      }
    } finally {
      account.asking--;
      this.#forget(key);
    }
  }

  /** Whether a payment of the payer was settled at this instance since `elapsed`, at most some seconds ago. */
  hasChangedSince(payer: StellarAddress, asset: ContractAddress, elapsed: number): boolean {
    const at = this.#settledAt.get(`${payer} ${asset}`);
    return at !== undefined && at >= elapsed;
  }

  #settled(key: string): void {
    const now = this.#clock.elapsed();
    for (const [other, at] of this.#settledAt) {
      if (now - at <= HOLDING_LASTS_MS) break;
      this.#settledAt.delete(other);
    }
    this.#settledAt.delete(key);
    this.#settledAt.set(key, now);
  }

  #forget(key: string): void {
    const account = this.#accounts.get(key);
    if (account?.live.size === 0 && account.asking === 0) this.#accounts.delete(key);
  }

  /** Whether the request of a settlement waits for the store now. */
  waitsForStore(id: string): boolean {
    return this.#atStore.has(id);
  }

  async #askStore<T>(id: string, ask: () => Promise<T>): Promise<T> {
    this.#atStore.add(id);
    try {
      return await ask();
    } finally {
      this.#atStore.delete(id);
    }
  }

  async #markWaiting({ id }: FundsRequest, waiting: boolean): Promise<void> {
    const shared = this.#shared;
    if (shared !== undefined) await this.#askStore(id, () => shared.waits(id, waiting));
  }

  async #underWayElsewhere({ id, payer, asset }: FundsRequest): Promise<UnderWay> {
    const shared = this.#shared;
    if (shared === undefined) return NOTHING;
    return this.#askStore(id, () => shared.underWay(payer, asset));
  }

  async #serve(
    account: Account,
    request: FundsRequest,
    marked: boolean,
    deadline: number,
    closed: () => void,
  ): Promise<FundsAnswer> {
    const { id, amount } = request;
    let waits = marked;
    for (let look = 1; ; look++) {
      // Announced before reading the others, so that of two instances that do this at once at least one sees the other.
      if (waits) await this.#markWaiting(request, false);
      const judged = await this.#judge(account, request);
      if (judged === 'covered') {
        account.live.set(id, amount);
        const close = (settledIn: number | undefined): void => {
          account.close(id, settledIn);
          if (settledIn !== undefined) this.#settled(`${request.payer} ${request.asset}`);
          closed();
        };
        return { status: 'committed', commitment: { close } };
      }
      if (judged !== 'wait') return judged;
      waits = true;
      await this.#markWaiting(request, true);
      const left = deadline - this.#clock.now();
      if (left <= 0) return { status: 'busy' };
      await this.#change(account, Math.min(left, pauseOf(id, look)));
    }
  }

  async #judge(account: Account, request: FundsRequest): Promise<FundsAnswer | 'covered' | 'wait'> {
    const { amount, most } = request;
    const elsewhere = await this.#underWayElsewhere(request);
    const count = account.live.size + elsewhere.count;
    if (count === 0) return 'covered';
    if (count >= most) return 'wait';
    const covers = (): boolean => {
      const free = account.free(this.#clock.now());
      return free !== undefined && free - elsewhere.amount >= amount;
    };
    // This instance does not know the amounts that other instances' settlements moved since the last reading.
    if (elsewhere.count === 0 && covers()) return 'covered';
    const holding = await request.readHolding();
    account.holdingAt(holding, this.#clock.now());
    if (holding.held !== undefined && holding.held < amount) {
      return { status: 'lacking', held: holding.held };
    }
    return covers() ? 'covered' : 'wait';
  }

  async #change(account: Account, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        cancel();
        account.changed.delete(wake);
        resolve();
      };
      const cancel = this.#clock.after(ms, wake);
      account.changed.add(wake);
    });
  }
}

import type { ContractAddress, StellarAddress } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';
import { WaitingLine } from './waitingLine.ts';

/** What a payer can spend of an asset, as of a ledger. `undefined` when it cannot be read. */
export interface Holding {
  readonly held: bigint | undefined;
  readonly ledger: number;
}

/** What settlements under way take from a payer. */
export interface UnderWay {
  readonly count: number;
  readonly amount: bigint;
}

/** A payment that asks to go to the ledger. */
export interface FundsRequest {
  /** Id of its settlement. */
  readonly id: string;
  readonly payer: StellarAddress;
  readonly asset: ContractAddress;
  /** Atomic units. */
  readonly amount: bigint;
  /** Longest wait for the payer's other settlements. */
  readonly waitMs: number;
  /** Settlements of this payer in this asset that may be under way at once. */
  readonly most: number;
  /** Reads what the payer can spend. Rejects with RpcError. */
  readHolding(): Promise<Holding>;
  /** Called when the request begins and stops to wait for the store. */
  onStore(waits: boolean): void;
}

/** Funds that are set aside for a payment until the ledger has decided. */
export interface Commitment {
  /** @param settledIn ledger in which the payment moved; `undefined` when it moved nothing */
  close(settledIn: number | undefined): void;
}

export type FundsAnswer =
  | { readonly status: 'committed'; readonly commitment: Commitment }
  /** The payer has less than the payment moves. */
  | { readonly status: 'lacking'; readonly held: bigint }
  /** The payer's other settlements took longer than the wait. */
  | { readonly status: 'busy' };

/** What other instances have under way, where several share a store. Methods reject with StoreError. */
export interface SharedFunds {
  underWay(payer: StellarAddress, asset: ContractAddress): Promise<UnderWay>;
  /** Records whether a settlement waits for its payer's funds: then it takes nothing of them. */
  waits(id: string, waiting: boolean): Promise<void>;
}

/** A reading that is older is made again: the payer may have spent elsewhere. */
const HOLDING_LASTS_MS = 10_000;
/** How often the ledger and the other instances are asked when nothing changes here. */
const LOOK_MS = 500;
const NOTHING: UnderWay = { count: 0, amount: 0n };

/** A pause that is another one for each settlement: two that look at once do not do so for ever. */
function pauseOf(id: string, look: number): number {
  let sum = look;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % LOOK_MS;
  return LOOK_MS + sum;
}

/** One payer in one asset, as long as something of it is under way. */
class Account {
  readonly line: WaitingLine;
  /** Requests that have not been answered. */
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

  /** What is left of the last reading; `undefined` without one that is recent and could be read. */
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
 * Lets no more of a payer's payments go to the ledger at once than its funds cover, so that a burst
 * of them cannot fail there at the sponsor's expense. A payment that is not covered waits for those
 * before it, in the order they came. With nothing else of the payer under way nothing is asked: the
 * simulation of the payment shows its funds.
 */
export class PayerFunds {
  readonly #clock: Clock;
  readonly #shared: SharedFunds | undefined;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock, shared: SharedFunds | undefined) {
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Sets funds aside, or waits until that is possible. Rejects with RpcError and StoreError. */
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

  #forget(key: string): void {
    const account = this.#accounts.get(key);
    if (account?.live.size === 0 && account.asking === 0) this.#accounts.delete(key);
  }

  async #markWaiting({ id, onStore }: FundsRequest, waiting: boolean): Promise<void> {
    if (this.#shared === undefined) return;
    onStore(true);
    await this.#shared.waits(id, waiting);
    onStore(false);
  }

  async #underWayElsewhere({ payer, asset, onStore }: FundsRequest): Promise<UnderWay> {
    if (this.#shared === undefined) return NOTHING;
    onStore(true);
    const underWay = await this.#shared.underWay(payer, asset);
    onStore(false);
    return underWay;
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
      // Announced before the others are looked at: of two instances that do this at once, at least
      // one sees the other.
      if (waits) await this.#markWaiting(request, false);
      const judged = await this.#judge(account, request);
      if (judged === 'covered') {
        account.live.set(id, amount);
        const close = (settledIn: number | undefined): void => {
          account.close(id, settledIn);
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
    // What another instance's settlements have moved since the last reading is not known here.
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

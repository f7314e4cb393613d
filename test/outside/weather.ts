import { Random } from '../helpers/random.ts';
import type { Behaviour } from './behaviours.ts';
import type { Method } from './spoiltCall.ts';

/** At a call of a settlement to the ledger: before the network has it, before the answer, right after. */
export type CallMoment = 'unsent' | 'unanswered' | 'answered';

/** A call at which the facilitator that made it is killed. */
export interface KillPoint {
  readonly method: Method;
  readonly moment: CallMoment;
}

/** What the proxy does to the calls of one payment, and what it saw of them. */
export class Weather {
  readonly payment: string;
  readonly behaviour: Behaviour;
  readonly random: Random;
  readonly memory = new Map<string, unknown>();
  killAt: KillPoint | undefined;
  /** How many calls were spoilt. */
  spoilt = 0;
  #until = 0;
  readonly #turns = new Map<Method, number>();

  constructor(payment: string, behaviour: Behaviour, seed: number) {
    this.payment = payment;
    this.behaviour = behaviour;
    this.random = new Random(seed);
  }

  begin(milliseconds: number): void {
    this.#until = performance.now() + milliseconds;
  }

  end(): void {
    this.#until = 0;
    this.killAt = undefined;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Takes a turn of the behaviour at this method; `undefined` when the call passes. */
  takeTurn(method: Method): number | undefined {
    const { methods, most = Number.POSITIVE_INFINITY } = this.behaviour;
    if (this.isOver || !methods.includes(method)) return undefined;
    const turn = this.#turns.get(method) ?? 0;
    if (turn >= most) return undefined;
    this.#turns.set(method, turn + 1);
    this.spoilt++;
    return turn;
  }

  /** Whether this is the point at which the caller is killed. It is once. */
  takeKill(method: Method, moment: CallMoment): boolean {
    if (this.killAt?.method !== method || this.killAt.moment !== moment) return false;
    this.killAt = undefined;
    return true;
  }
}

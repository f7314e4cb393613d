import type { AnswerFault } from '../rpc/index.ts';

/** A fault that waits for calls of a method. */
interface PendingFault {
  readonly method: string;
  readonly fault: AnswerFault;
  times: number;
}

/** The faults of the next answers, in the order in which they were requested. */
export class AnswerFaults {
  #pending: PendingFault[] = [];

  /** @returns how many answers of the method will go wrong */
  add(method: string, fault: AnswerFault, times: number): number {
    this.#pending.push({ method, fault, times });
    return this.#pending
      .filter((one) => one.method === method)
      .reduce((sum, one) => sum + one.times, 0);
  }

  /** What goes wrong with this call of a method; it counts as one time. */
  take(method: string): AnswerFault | undefined {
    const found = this.#pending.find((one) => one.method === method);
    if (found === undefined) return undefined;
    found.times -= 1;
    if (found.times === 0) this.#pending = this.#pending.filter((one) => one !== found);
    return found.fault;
  }

  /** @returns how many answers would have gone wrong */
  clear(): number {
    const count = this.#pending.reduce((sum, { times }) => sum + times, 0);
    this.#pending = [];
    return count;
  }
}

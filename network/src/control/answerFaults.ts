import type { AnswerFault } from '../rpc/index.ts';

/** A fault for the next calls of a method. */
interface PendingFault {
  readonly method: string;
  readonly fault: AnswerFault;
  times: number;
}

/** The faults of the next answers, in the order in which they were requested. */
export class AnswerFaults {
  #pending: PendingFault[] = [];

  /** @returns how many calls of the method will fail */
  add(method: string, fault: AnswerFault, times: number): number {
    this.#pending.push({ method, fault, times });
    return this.#pending
      .filter((one) => one.method === method)
      .reduce((sum, one) => sum + one.times, 0);
  }

  /** Returns the fault for this call of a method, and counts it. */
  take(method: string): AnswerFault | undefined {
    const found = this.#pending.find((one) => one.method === method);
    if (found === undefined) return undefined;
    found.times -= 1;
    if (found.times === 0) this.#pending = this.#pending.filter((one) => one !== found);
    return found.fault;
  }

  /** @returns how many calls would have failed */
  clear(): number {
    const count = this.#pending.reduce((sum, { times }) => sum + times, 0);
    this.#pending = [];
    return count;
  }
}

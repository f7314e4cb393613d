import { type ChildProcess, fork } from 'node:child_process';
import type { InstanceOrders } from './instance.ts';
import { type CallMoment, type KillPoint, nameOf } from './steps.ts';

/** An instance that has not reached its kill point is killed after this time. */
const LONGEST_MS = 15_000;
/** Starts that a ledger without an answer may spoil, one after the other. */
const MAX_FAILURES = 10;
export const ANY_MOMENT = 'at any moment';

/**
 * A place where an instance runs: started with a point to be killed at, and started again with the
 * next one after it was.
 */
export class Slot {
  readonly name: string;
  /** Where it answers; `undefined` while it isn't running. */
  url: string | undefined;
  kills = 0;
  readonly killed = new Map<string, number>();
  readonly #program: string;
  readonly #orders: Omit<InstanceOrders, 'killAt'>;
  readonly #nextPoint: () => { point: KillPoint; count: number } | undefined;
  #child: ChildProcess | undefined;
  #armed: { point: KillPoint; left: number } | undefined;
  #closing = false;
  #anyhow = false;
  #failures = 0;
  #ended: Promise<void> = Promise.resolve();

  constructor(
    name: string,
    program: string,
    orders: Omit<InstanceOrders, 'killAt'>,
    nextPoint: () => { point: KillPoint; count: number } | undefined,
  ) {
    this.name = name;
    this.#program = program;
    this.#orders = orders;
    this.#nextPoint = nextPoint;
  }

  /** Kills it wherever it is, if it does not reach its kill point. */
  #killAnyhow(child: ChildProcess): void {
    const timer = setTimeout(() => {
      if (this.#armed === undefined || this.#child !== child) return;
      this.#anyhow = true;
      child.kill('SIGKILL');
    }, LONGEST_MS);
    child.once('exit', () => clearTimeout(timer));
  }

  /** Whether it will be killed at some point. */
  get armed(): boolean {
    return this.#armed !== undefined;
  }

  /** Where it is to be killed. */
  get point(): KillPoint | undefined {
    return this.#armed?.point;
  }

  start(): Promise<void> {
    this.#armed = undefined;
    const next = this.#nextPoint();
    this.#armed = next === undefined ? undefined : { point: next.point, left: next.count };
    const child = fork(this.#program, [], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('exit', (_code, signal) => {
        this.#failures = this.url === undefined && signal === null ? this.#failures + 1 : 0;
        this.url = undefined;
        if (this.#failures > MAX_FAILURES) {
          throw new Error(`instance ${this.name} does not start`);
        }
        if (signal === 'SIGKILL' && this.#armed !== undefined) {
          this.kills++;
          const name = this.#anyhow ? ANY_MOMENT : nameOf(this.#armed.point);
          this.#anyhow = false;
          this.killed.set(name, (this.killed.get(name) ?? 0) + 1);
        }
        resolve();
        if (!this.#closing) void this.start();
      });
    });
    if (next !== undefined) this.#killAnyhow(child);
    const killAt = next === undefined ? null : { ...next.point, count: next.count };
    child.send({ ...this.#orders, killAt } satisfies InstanceOrders);
    return new Promise((resolve) => {
      child.once('message', (message) => {
        this.url = (message as { url: string }).url;
        resolve();
      });
      child.once('exit', () => resolve());
    });
  }

  /** Kills the instance when a call has come to the point it is to be killed at. */
  atCall(call: string, moment: CallMoment): boolean {
    const { point } = this.#armed ?? {};
    if (point?.kind !== 'call' || point.call !== call || point.moment !== moment) return false;
    if (this.#armed === undefined || --this.#armed.left !== 0) return false;
    this.url = undefined;
    this.#child?.kill('SIGKILL');
    return true;
  }

  /** Kills the running instance and starts it again, without a kill point if none is left. */
  async restart(): Promise<void> {
    this.#closing = true;
    this.#armed = undefined;
    this.#child?.kill('SIGKILL');
    await this.#ended;
    this.#closing = false;
    await this.start();
  }

  /** Ends it as an operator does. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#armed = undefined;
    if (this.#child?.connected) this.#child.send('close');
    await this.#ended;
  }
}

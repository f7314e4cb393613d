import type { SoakAccount } from './account.ts';
import type { MadeFault } from './faultPlan.ts';
import type { LatencyOfKind } from './recorder.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly instances: number;
  /** Requests and purchases begun a second; `undefined`: half of the maximum that is measured first. */
  readonly rate: number | undefined;
  readonly say: (line: string) => void;
}

/** One second of the run. */
export interface Sample {
  readonly second: number;
  /** Requests that began in this second, and how long they took. */
  readonly latency: Readonly<Record<string, LatencyOfKind>>;
  /** Megabytes of each process that runs. */
  readonly memory: Readonly<Record<string, number>>;
  readonly inFlight: number;
}

/** Everything that a run found. */
export interface SoakReport {
  readonly started: string;
  readonly machine: string;
  readonly options: Omit<SoakOptions, 'say'>;
  /** Requests and purchases ended a second with all workers busy; `undefined` with a given rate. */
  readonly maximum: number | undefined;
  readonly rate: number;
  readonly seconds: number;
  /** Begun while the run lasted, and those that were not since too many were in flight. */
  readonly begun: number;
  readonly heldBack: number;
  readonly latency: Readonly<Record<string, LatencyOfKind>>;
  readonly codes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly faults: readonly MadeFault[];
  readonly starts: Readonly<Record<string, number>>;
  readonly account: SoakAccount;
  readonly violations: readonly string[];
  readonly samples: readonly Sample[];
}

import type { ThreadProgram } from '../../machine/index.ts';
import type { LedgerEngine } from '../close/index.ts';
import type { SimulateInvokeOutcome } from '../host/index.ts';
import type { WatchReads } from '../state/index.ts';
import { BriefHost } from './briefHost.ts';
import { LedgerRun, type Simulation } from './ledgerRun.ts';
import type { RenderedOutcome, Rendering } from './messages.ts';
import { SimulationThread } from './simulationThread.ts';

/** What came of a simulation. */
export type Simulated =
  | {
      readonly kind: 'outcome';
      readonly outcome: SimulateInvokeOutcome;
      /** Of the ledger that it ran on. */
      readonly sequence: number;
    }
  | ({ readonly kind: 'rendered' } & RenderedOutcome);

/**
 * Simulates invocations without keeping the thread that serves: payments end within a few milliseconds, in this thread. What
 * takes longer, and every contract of strangers, runs in a thread of its own, which renders the outcome as well.
 */
export class Simulator {
  readonly #engine: LedgerEngine;
  readonly #brief: BriefHost;
  readonly #thread: SimulationThread;

  /**
   * @param isOwnCode whether a contract's code, by its SHA-256 in hex, is one of the project's own
   * @param program the thread's, which calls `serveSimulations`
   */
  constructor(engine: LedgerEngine, isOwnCode: (hash: string) => boolean, program: ThreadProgram) {
    this.#engine = engine;
    this.#brief = new BriefHost(isOwnCode);
    this.#thread = new SimulationThread(program);
  }

  /**
   * Runs a host function on the last closed ledger.
   * @param watch called around what reads entries
   * @throws SimulatorError, and what reading an entry throws
   */
  async simulate(
    simulation: Simulation,
    rendering: Rendering,
    watch: WatchReads,
  ): Promise<Simulated> {
    const run = new LedgerRun(this.#engine, simulation, rendering, watch);
    const { host } = this.#engine.environment();
    const outcome = this.#brief.simulate(run, host.setup);
    if (outcome !== undefined) return { kind: 'outcome', outcome, sequence: run.sequence };
    return { kind: 'rendered', ...(await this.#thread.run(run)) };
  }

  /** Ends the runs that are under way, and the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

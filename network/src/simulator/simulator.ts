import type { ThreadProgram } from '../../../common/machine/startThread.ts';
import type { LedgerEngine } from '../close/index.ts';
import type { SimulateInvokeOutcome } from '../host/index.ts';
import type { WatchReads } from '../state/index.ts';
import { BriefHost } from './briefHost.ts';
import { LedgerRun, type Simulation } from './ledgerRun.ts';
import type { RenderedOutcome, Rendering } from './messages.ts';
import { SimulationThread } from './simulationThread.ts';

/** The result of a simulation. */
export type Simulated =
  | {
      readonly kind: 'outcome';
      readonly outcome: SimulateInvokeOutcome;
      /** Sequence of the ledger on which it ran. */
      readonly sequence: number;
    }
  | ({ readonly kind: 'rendered' } & RenderedOutcome);

/**
 * Simulates invocations without blocking the serving thread. Payments run on this thread and end within a few milliseconds.
 * Longer simulations, and all third-party contracts, run on a separate thread, which also renders the outcome.
 */
export class Simulator {
  readonly #engine: LedgerEngine;
  readonly #brief: BriefHost;
  readonly #thread: SimulationThread;

  /**
   * @param isOwnCode whether a contract's code, by its SHA-256 in hex, is one of the project's own
   * @param program the thread's program, which calls `serveSimulations`
   */
  constructor(engine: LedgerEngine, isOwnCode: (hash: string) => boolean, program: ThreadProgram) {
    this.#engine = engine;
    this.#brief = new BriefHost(isOwnCode);
    this.#thread = new SimulationThread(program);
  }

  /**
   * Runs a host function on the last closed ledger.
   * @param watch called around what reads entries
   * @throws SimulatorError, and anything that reading an entry throws
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

  /** Ends the runs in progress, and the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

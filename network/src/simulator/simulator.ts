import { xdr } from '@stellar/stellar-sdk';
import type { ThreadProgram } from '../../../common/machine/startThread.ts';
import type { LedgerEngine } from '../close/index.ts';
import {
  type EntryReader,
  type HostSetup,
  type SimulateInvokeOutcome,
  WasmSorobanHost,
  type Xdr,
} from '../host/index.ts';
import type { WatchReads } from '../state/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { LedgerRun, type Simulation } from './ledgerRun.ts';
import type { RenderedOutcome, Rendering } from './messages.ts';
import { SimulationThread } from './simulationThread.ts';

/** The result of a simulation. */
type Simulated =
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

/** Maximum number of instructions in a brief run: a few milliseconds. A payment takes 0.7 million. */
const ALLOWANCE = 12_000_000n;
/** A run that ends with less than a tenth left might have failed because of the allowance. */
const CONCLUSIVE = Number((ALLOWANCE * 9n) / 10n);
/** Maximum number of diagnostic event bytes, because events are converted for the answer. A payment has 1,000. */
const EVENT_BYTES = 64 << 10;

/** Type with which `ScError` XDR begins if the budget is exceeded. */
const BUDGET_ERROR = 7;
/** Type with which the `LedgerKey` XDR of contract code begins; it ends with the hash. */
const CONTRACT_CODE = 7;
const HASH_BYTES = 32;

/** Ends a brief run that is about to run a third-party contract. */
class ForeignCode extends Error {}

/**
 * Runs short simulations on the calling thread, in an instance of the network's host that differs in one setting: the
 * instructions of a transaction.
 *
 * Third-party contracts are excluded, because diagnostic events, which are not counted as instructions, can take a hundred
 * times as long as the contract. Their budget depends on that setting too, and the host silently drops events that exceed it;
 * asset contracts and the project's own have only a few.
 */
class BriefHost {
  readonly #isOwnCode: (hash: string) => boolean;
  #setup: HostSetup | undefined;
  #host: WasmSorobanHost | undefined;

  /** @param isOwnCode whether a contract's code, by its SHA-256 in hex, is one of the project's own */
  constructor(isOwnCode: (hash: string) => boolean) {
    this.#isOwnCode = isOwnCode;
  }

  /** @returns undefined if a full run is needed */
  simulate(run: LedgerRun, setup: HostSetup): SimulateInvokeOutcome | undefined {
    const host = this.#hostOf(setup);
    const request = run.here();
    try {
      const outcome = host.simulateInvoke({ ...request, read: this.#ownCode(request.read) });
      return isConclusive(outcome) ? outcome : undefined;
    } catch (error) {
      if (error instanceof ForeignCode) return undefined;
      throw error;
    }
  }

  #ownCode(read: EntryReader): EntryReader {
    return (key) => {
      const stored = read(key);
      const bytes = Buffer.from(key);
      if (bytes.readInt32BE(0) !== CONTRACT_CODE) return stored;
      if (!this.#isOwnCode(bytes.subarray(-HASH_BYTES).toString('hex'))) throw new ForeignCode();
      return stored;
    };
  }

  #hostOf(setup: HostSetup): WasmSorobanHost {
    if (this.#host !== undefined && this.#setup === setup) return this.#host;
    if (this.#host === undefined || this.#setup?.module !== setup.module) {
      this.#host = new WasmSorobanHost(setup.module);
    }
    const { config } = setup;
    this.#host.configure({ ...config, settings: config.settings.map(withAllowance) });
    this.#setup = setup;
    return this.#host;
  }
}

function withAllowance(setting: Xdr): Xdr {
  const entry = xdr.ConfigSettingEntry.fromXdr(setting);
  if (entry.type !== 'configSettingContractComputeV0') return setting;
  const { contractCompute } = entry;
  const { txMaxInstructions } = contractCompute;
  return encodeXdr(
    xdr.ConfigSettingEntry.configSettingContractComputeV0(
      new xdr.ConfigSettingContractComputeV0({
        ...contractCompute,
        txMaxInstructions: txMaxInstructions < ALLOWANCE ? txMaxInstructions : ALLOWANCE,
      }),
    ),
  );
}

function isConclusive(outcome: SimulateInvokeOutcome): boolean {
  const bytes = outcome.diagnosticEvents.reduce((sum, { length }) => sum + length, 0);
  if (outcome.cpuInstructions > CONCLUSIVE) return false;
  if (bytes > EVENT_BYTES || outcome.eventsLeftOut > 0) return false;
  return outcome.ok || !isOfLimits(outcome);
}

/** Whether it failed because of a limit, or in a way that a limit might have caused. */
function isOfLimits({ error }: Extract<SimulateInvokeOutcome, { ok: false }>): boolean {
  return error.kind === 'trap' || Buffer.from(error.scError).readInt32BE(0) === BUDGET_ERROR;
}

import { entryReader, type LedgerEngine } from '../close/index.ts';
import type { EntryReader, SimulateInvokeRequest, Xdr } from '../host/index.ts';
import type { WatchReads } from '../state/index.ts';
import type { Reading, Rendering, RunMessage } from './messages.ts';

/** A simulation request; its ledger is determined when it runs. */
export type Simulation = Omit<SimulateInvokeRequest, 'ledger' | 'read' | 'impersonated'>;

/** A simulation on the last closed ledger, which remembers what it reads. */
export class LedgerRun {
  readonly #simulation: Simulation;
  readonly #rendering: Rendering;
  readonly #engine: LedgerEngine;
  readonly #watch: WatchReads;
  readonly #keys = new Map<string, Xdr>();
  #header: LedgerEngine['state']['header'];

  constructor(
    engine: LedgerEngine,
    simulation: Simulation,
    rendering: Rendering,
    watch: WatchReads,
  ) {
    this.#engine = engine;
    this.#simulation = simulation;
    this.#rendering = rendering;
    this.#watch = watch;
    this.#header = engine.state.header;
  }

  /** The ledger on which it runs. */
  get sequence(): number {
    return this.#header.ledgerSeq;
  }

  /** Begins on the current last ledger, for a host in this thread. */
  here(): SimulateInvokeRequest {
    this.#begin();
    return { ...this.#request(), read: (key) => this.#read(key) };
  }

  /** Begins on the current last ledger, for a host in another thread. */
  elsewhere(id: number): RunMessage {
    this.#begin();
    const { host } = this.#engine.environment();
    const known = [...this.#keys.values()].map((key) => ({ key, stored: this.#read(key) }));
    return {
      id,
      protocol: host.protocol,
      setup: host.setup,
      request: this.#request(),
      rendering: this.#rendering,
      known,
    };
  }

  /** Reads an entry for the other thread. */
  read(key: Xdr): Reading {
    // Remembered for the next start.
    this.#keys.set(Buffer.from(key).toString('latin1'), key);
    return this.#engine.state.header === this.#header ? this.#read(key) : 'stale';
  }

  #begin(): void {
    this.#header = this.#engine.state.header;
  }

  #request(): Omit<SimulateInvokeRequest, 'read'> {
    const { ledgerSeq, scpValue } = this.#header;
    return {
      ...this.#simulation,
      ledger: { sequence: ledgerSeq, closeTime: scpValue.closeTime },
      impersonated: this.#engine.impersonation.addresses(),
    };
  }

  #read(key: Xdr): ReturnType<EntryReader> {
    this.#keys.set(Buffer.from(key).toString('latin1'), key);
    return this.#watch(() => entryReader(this.#engine.state)(key));
  }
}

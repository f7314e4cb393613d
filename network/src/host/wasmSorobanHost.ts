import { createHash } from 'node:crypto';
import { type ReplyReader, RequestWriter } from './codec.ts';
import {
  brokenCall,
  HostCallError,
  HostInstance,
  HostRefusal,
  HostTrap,
  isBroken,
  ReaderFailure,
} from './hostInstance.ts';
import {
  type KeptEvents,
  readInvokeOutcome,
  writeInvokeRequest,
  writeLedgerPoint,
} from './invocation.ts';
import { type Operation, operation } from './operation.ts';
import {
  readFootprintOutcome,
  readSimulateInvokeOutcome,
  writeSimulateInvokeRequest,
} from './simulation.ts';
import type {
  EntryReader,
  HostConfig,
  HostConfigSummary,
  HostSetup,
  InvokeOutcome,
  InvokeRequest,
  RentChange,
  ResourceFee,
  SimulateExtendTtlRequest,
  SimulateFootprintOutcome,
  SimulateInvokeOutcome,
  SimulateInvokeRequest,
  SimulateRestoreRequest,
  SorobanHost,
  TransactionResources,
  Xdr,
} from './types.ts';

type Answer<T> = T | HostTrap | HostRefusal;

const nothing = (): void => undefined;
const UNMETERED = {
  cpuInstructions: 0,
  memoryBytes: 0,
  diagnosticEvents: [],
  eventsLeftOut: 0,
  calls: [],
};

const hashOf = (code: Uint8Array): string => createHash('sha256').update(code).digest('hex');

/** A module that is compiled when it is needed. */
export interface LaterModule {
  readonly protocol: number;
  /** @throws HostCallError `BAD_MODULE` */
  compiled(): WebAssembly.Module;
}

/** The Soroban host in WebAssembly. A trap destroys only the instance, which is replaced with a new one in the same setup. */
export class WasmSorobanHost implements SorobanHost {
  readonly protocol: number;
  readonly #module: () => WebAssembly.Module;
  readonly #kept: KeptEvents;
  /** Null before the first call if the module is compiled later, and between a trap and the next call. */
  #instance: HostInstance | null;
  #configuration: Uint8Array | null = null;
  #setup: HostSetup | null = null;
  readonly #cachedCode = new Map<string, Uint8Array>();
  /** Hashes of cached code that the instance does not have yet. */
  readonly #due = new Set<string>();
  #busy = false;
  #replacements = 0;

  /** @throws HostCallError `BAD_MODULE` */
  constructor(source: WebAssembly.Module | LaterModule, kept: KeptEvents = 'bounded') {
    this.#kept = kept;
    if ('compiled' in source) {
      this.#module = () => source.compiled();
      this.#instance = null;
      this.protocol = source.protocol;
      return;
    }
    this.#module = () => source;
    const instance = new HostInstance(source);
    this.#instance = instance;
    this.protocol = instance.protocol;
  }

  get setup(): HostSetup {
    return this.#needConfiguration();
  }

  get replacements(): number {
    return this.#replacements;
  }

  /** Size of the WebAssembly memory in bytes; it grows to what the largest call needed and never shrinks. */
  get memoryBytes(): number {
    return this.#instance?.memoryBytes ?? 0;
  }

  configure(config: HostConfig): HostConfigSummary {
    const request = this.#configurationOf(config);
    const summary = this.#run(operation.configure, request, (r) => ({
      rentFeePer1Kb: r.i64(),
      memoryLimit: r.u32(),
    }));
    if (isBroken(summary)) throw notConfigured(summary);
    this.#configuration = request;
    this.#setup = { module: this.#module(), config };
    return summary;
  }

  configureLater(config: HostConfig): void {
    if (this.#instance !== null) {
      this.configure(config);
      return;
    }
    this.#configuration = this.#configurationOf(config);
    const module = this.#module;
    this.#setup = {
      config,
      get module() {
        return module();
      },
    };
  }

  invoke(request: InvokeRequest): InvokeOutcome {
    this.#needConfiguration();
    this.#cacheDue();
    const answer = this.#attempt(
      operation.invoke,
      (w) => writeInvokeRequest(w, request),
      (r) => readInvokeOutcome(r, this.#kept),
    );
    return isBroken(answer) ? { ok: false, ...UNMETERED, error: brokenCall(answer) } : answer;
  }

  simulateInvoke(request: SimulateInvokeRequest): SimulateInvokeOutcome {
    this.#needConfiguration();
    this.#cacheDue();
    const answer = this.#attempt(
      operation.simulateInvoke,
      (w) => writeSimulateInvokeRequest(w, request),
      readSimulateInvokeOutcome,
      request.read,
    );
    return isBroken(answer) ? { ok: false, ...UNMETERED, error: brokenCall(answer) } : answer;
  }

  simulateExtendTtl(request: SimulateExtendTtlRequest): SimulateFootprintOutcome {
    this.#needConfiguration();
    const write = (w: RequestWriter) => {
      writeLedgerPoint(w, request.ledger);
      w.list(request.keys, (key) => w.bytes(key)).u32(request.extendTo);
    };
    const answer = this.#attempt(
      operation.simulateExtendTtl,
      write,
      readFootprintOutcome,
      request.read,
    );
    return isBroken(answer) ? { ok: false, error: brokenCall(answer) } : answer;
  }

  simulateRestore(request: SimulateRestoreRequest): SimulateFootprintOutcome {
    this.#needConfiguration();
    const write = (w: RequestWriter) => {
      writeLedgerPoint(w, request.ledger);
      w.list(request.keys, (key) => w.bytes(key));
    };
    const answer = this.#attempt(
      operation.simulateRestore,
      write,
      readFootprintOutcome,
      request.read,
    );
    return isBroken(answer) ? { ok: false, error: brokenCall(answer) } : answer;
  }

  cacheModule(code: Uint8Array): void {
    this.#demand(operation.cacheModule, (w) => w.bytes(code), nothing);
    // Kept here as well, because a replaced instance starts with an empty cache.
    const hash = hashOf(code);
    this.#cachedCode.set(hash, code.slice());
    this.#due.delete(hash);
  }

  cacheModuleLater(code: Uint8Array): void {
    const hash = hashOf(code);
    this.#cachedCode.set(hash, code.slice());
    this.#due.add(hash);
  }

  uncacheModule(codeHash: Uint8Array): void {
    const hash = Buffer.from(codeHash).toString('hex');
    if (!this.#due.delete(hash)) {
      this.#demand(operation.uncacheModule, (w) => w.fixed(codeHash, 32), nothing);
    }
    this.#cachedCode.delete(hash);
  }

  clearModuleCache(): void {
    this.#cachedCode.clear();
    this.#due.clear();
    // Without an instance, there is no cache yet; the next instance starts with the code kept here.
    if (this.#instance !== null) this.#demand(operation.clearModuleCache, nothing, nothing);
  }

  resourceFee(q: TransactionResources): ResourceFee {
    this.#needConfiguration();
    const write = (w: RequestWriter) =>
      w
        .u32(q.instructions)
        .u32(q.diskReadEntries)
        .u32(q.writeEntries)
        .u32(q.diskReadBytes)
        .u32(q.writeBytes)
        .u32(q.contractEventsBytes)
        .u32(q.transactionBytes);
    return this.#demand(operation.resourceFee, write, (r) => ({
      nonRefundable: r.i64(),
      refundable: r.i64(),
    }));
  }

  rentFee(changes: readonly RentChange[], ledgerSequence: number): bigint {
    this.#needConfiguration();
    const write = (w: RequestWriter) =>
      w.u32(ledgerSequence).list(changes, (c) => {
        w.bool(c.persistent)
          .bool(c.code)
          .u32(c.oldSize)
          .u32(c.newSize)
          .u32(c.oldLiveUntil)
          .u32(c.newLiveUntil);
      });
    return this.#demand(operation.rentFee, write, (r) => r.i64());
  }

  sizeForRent(entry: Xdr): number {
    this.#needConfiguration();
    return this.#demand(
      operation.sizeForRent,
      (w) => w.bytes(entry),
      (r) => r.u32(),
    );
  }

  /** Makes the module panic, to prove that this object survives it. Returns the panic's message. */
  provokeTrap(): string {
    const answer = this.#run(operation.panic, new Uint8Array(), nothing);
    return isBroken(answer) ? answer.message : '';
  }

  #configurationOf(config: HostConfig): Uint8Array {
    return this.#request((w) => {
      w.fixed(config.networkId, 32).u32(config.baseReserve);
      w.list(config.settings, (setting) => w.bytes(setting));
    });
  }

  #cacheDue(): void {
    for (const hash of this.#due) {
      const code = this.#cachedCode.get(hash);
      this.#due.delete(hash);
      if (code !== undefined) this.#demand(operation.cacheModule, (w) => w.bytes(code), nothing);
    }
  }

  #needConfiguration(): HostSetup {
    if (this.#setup === null) {
      throw new HostCallError('NOT_CONFIGURED', 'configure the host before its first use');
    }
    return this.#setup;
  }

  #request(write: (w: RequestWriter) => void): Uint8Array {
    const w = new RequestWriter();
    try {
      write(w);
    } catch (error) {
      throw error instanceof RangeError ? new HostCallError('BAD_INPUT', error.message) : error;
    }
    return w.finish();
  }

  /** For calls that return every error as a value. */
  #attempt<T>(
    op: Operation,
    write: (w: RequestWriter) => void,
    decode: (reply: ReplyReader) => T,
    read: EntryReader | null = null,
  ): Answer<T> {
    let request: Uint8Array;
    try {
      request = this.#request(write);
    } catch (error) {
      if (error instanceof HostCallError) {
        return new HostRefusal(error.message);
      }
      throw error;
    }
    return this.#run(op, request, decode, read);
  }

  /** For calls that fail only through an error of their caller. */
  #demand<T>(
    op: Operation,
    write: (w: RequestWriter) => void,
    decode: (reply: ReplyReader) => T,
  ): T {
    const answer = this.#run(op, this.#request(write), decode);
    if (isBroken(answer)) {
      throw new HostCallError(answer instanceof HostTrap ? 'TRAP' : 'BAD_INPUT', answer.message);
    }
    return answer;
  }

  #run<T>(
    op: Operation,
    request: Uint8Array,
    decode: (reply: ReplyReader) => T,
    read: EntryReader | null = null,
  ): Answer<T> {
    if (this.#busy) {
      throw new HostCallError(
        'BAD_INPUT',
        'the host was called by the reader of its own simulation',
      );
    }
    this.#busy = true;
    try {
      const instance = this.#instance ?? this.#freshInstance();
      // Put back only after it has returned intact, which an exhausted stack can prevent at any point.
      this.#instance = null;
      this.#replacements++;
      const answer = instance.run(op, request, decode, read);
      if (answer instanceof HostTrap) {
        return answer;
      }
      this.#instance = instance;
      this.#replacements--;
      if (answer instanceof ReaderFailure) {
        throw answer.thrown;
      }
      return answer;
    } finally {
      this.#busy = false;
    }
  }

  /** Creates an instance with the configuration and code of the previous one. */
  #freshInstance(): HostInstance {
    const fresh = new HostInstance(this.#module());
    if (fresh.protocol !== this.protocol) {
      throw new HostCallError('BAD_MODULE', `the module runs protocol ${fresh.protocol}`);
    }
    if (this.#configuration !== null) {
      const answer = fresh.run(operation.configure, this.#configuration, nothing, null);
      if (isBroken(answer)) throw notConfigured(answer);
    }
    for (const [hash, code] of this.#cachedCode) {
      if (this.#due.has(hash)) continue;
      fresh.run(operation.cacheModule, new RequestWriter().bytes(code).finish(), nothing, null);
    }
    return fresh;
  }
}

function notConfigured(answer: HostTrap | HostRefusal): HostCallError {
  return new HostCallError(answer instanceof HostTrap ? 'TRAP' : 'BAD_CONFIG', answer.message);
}

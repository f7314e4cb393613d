import { ReplyReader } from './codec.ts';
import type { Operation } from './operation.ts';
import type { EntryReader, HostError } from './types.ts';

/** The module panicked, ran out of stack or memory. Its instance must not be used again. */
export class HostTrap {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The module could not decode a request. */
export class HostRefusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The error that the entry reader threw, kept until the module has unwound. */
export class ReaderFailure {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    this.thrown = thrown;
  }
}

const DONE = 0;
const NO_ENTRY = 0n;
const READER_FAILED = 0xffff_ffff_ffff_ffffn;

/** One instance of the WebAssembly module: its buffers, its calls, and the callback by which it reads entries. */
export class HostInstance {
  readonly #memory: WebAssembly.Memory;
  readonly #alloc: (length: number) => number;
  readonly #free: (pointer: number, length: number) => void;
  readonly #call: (operation: number, pointer: number, length: number) => bigint;
  readonly #panic: () => bigint;
  readonly protocol: number;
  #read: EntryReader | null = null;
  #readerFailure: ReaderFailure | null = null;

  /** @throws HostCallError `BAD_MODULE` if it is not a build of `ledger-host` */
  constructor(module: WebAssembly.Module) {
    const imports = {
      env: {
        lh_get_entry: (pointer: number, length: number) => this.#getEntry(pointer >>> 0, length),
      },
    };
    const { exports } = new WebAssembly.Instance(module, imports);
    const { memory } = exports;
    if (!(memory instanceof WebAssembly.Memory)) {
      throw new HostCallError('BAD_MODULE', 'the module exports no memory');
    }
    const callable = (name: string) => {
      const found = exports[name];
      if (typeof found !== 'function') {
        throw new HostCallError('BAD_MODULE', `the module exports no ${name}`);
      }
      return (...args: number[]): unknown => found(...args);
    };
    const packed = (value: unknown): bigint =>
      typeof value === 'bigint' ? BigInt.asUintN(64, value) : 0n;
    const [alloc, free, call, panic] = ['lh_alloc', 'lh_free', 'lh_call', 'lh_panic'].map(callable);
    const protocol = callable('lh_protocol')();
    if (!alloc || !free || !call || !panic || typeof protocol !== 'number') {
      throw new HostCallError('BAD_MODULE', 'the module does not name its protocol');
    }
    this.#memory = memory;
    this.#alloc = (length) => Number(alloc(length)) >>> 0;
    this.#free = (pointer, length) => void free(pointer, length);
    this.#call = (operation, pointer, length) => packed(call(operation, pointer, length));
    this.#panic = () => packed(panic());
    this.protocol = protocol;
  }

  /** Current size of the module's memory in bytes; it never shrinks. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Runs one operation and decodes its answer in place. After a trap, the instance must be discarded. */
  run<T>(
    operation: Operation,
    request: Uint8Array,
    decode: (reply: ReplyReader) => T,
    read: EntryReader | null,
  ): T | HostTrap | HostRefusal | ReaderFailure {
    this.#read = read;
    this.#readerFailure = null;
    try {
      const result = this.#exchange(operation, request, decode);
      return this.#readerFailure ?? result;
    } catch (error) {
      return new HostTrap(this.#panicMessage(error));
    } finally {
      this.#read = null;
    }
  }

  #exchange<T>(
    operation: Operation,
    request: Uint8Array,
    decode: (reply: ReplyReader) => T,
  ): T | HostRefusal {
    const pointer = this.#alloc(request.length);
    // Every call into the module can move its memory, so a view is created after it and never kept.
    new Uint8Array(this.#memory.buffer, pointer, request.length).set(request);
    const answer = this.#call(operation, pointer, request.length);
    this.#free(pointer, request.length);
    return this.#take(answer, (bytes) => {
      const reply = new ReplyReader(bytes);
      return reply.u32() === DONE ? decode(reply) : new HostRefusal(reply.text());
    });
  }

  #take<T>(packed: bigint, use: (bytes: Uint8Array) => T): T {
    const pointer = Number(packed & 0xffff_ffffn);
    const length = Number(packed >> 32n);
    const used = use(new Uint8Array(this.#memory.buffer, pointer, length));
    this.#free(pointer, length);
    return used;
  }

  #getEntry(keyPointer: number, keyLength: number): bigint {
    const key = new Uint8Array(this.#memory.buffer, keyPointer, keyLength).slice();
    let found: ReturnType<EntryReader>;
    try {
      found = this.#read === null ? null : this.#read(key);
    } catch (thrown) {
      this.#readerFailure ??= new ReaderFailure(thrown);
      return READER_FAILED;
    }
    if (found === null) {
      return NO_ENTRY;
    }
    const length = 8 + found.entry.length;
    const pointer = this.#alloc(length);
    const view = new DataView(this.#memory.buffer, pointer, length);
    view.setUint32(0, found.liveUntil === null ? 0 : 1, true);
    view.setUint32(4, found.liveUntil ?? 0, true);
    new Uint8Array(this.#memory.buffer, pointer + 8, found.entry.length).set(found.entry);
    return (BigInt(length) << 32n) | BigInt(pointer);
  }

  #panicMessage(error: unknown): string {
    const cause = error instanceof Error ? error.message : String(error);
    try {
      const panic = this.#take(this.#panic(), (bytes) => new TextDecoder().decode(bytes));
      return panic === '' ? cause : `${cause}: ${panic}`;
    } catch {
      return cause;
    }
  }
}

/** `ScError` XDR: context (2), internal error (7). */
const CONTEXT_INTERNAL = Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 7);

/** Reads an error that `network/host/src/failure.rs` wrote. */
export function readHostError(reply: ReplyReader): HostError {
  const internal = reply.bool();
  const scError = reply.bytes();
  const summary = reply.text();
  const message = reply.text();
  return { kind: 'host', internal, scError, summary, message: message === '' ? summary : message };
}

/** The error of a call that did not return an answer. */
export function brokenCall(problem: HostTrap | HostRefusal): HostError {
  const trap = problem instanceof HostTrap;
  return {
    kind: trap ? 'trap' : 'badInput',
    internal: trap,
    scError: CONTEXT_INTERNAL.slice(),
    summary: problem.message,
    message: problem.message,
  };
}

export const isBroken = (value: unknown): value is HostTrap | HostRefusal =>
  value instanceof HostTrap || value instanceof HostRefusal;

export type HostCallErrorCode =
  | 'BAD_CONFIG'
  | 'BAD_INPUT'
  | 'NOT_CONFIGURED'
  | 'TRAP'
  | 'BAD_MODULE';

/** An invalid call to the host, or a trap in a call that cannot report it otherwise. */
export class HostCallError extends Error {
  readonly code: HostCallErrorCode;

  constructor(code: HostCallErrorCode, message: string) {
    super(message);
    this.name = 'HostCallError';
    this.code = code;
  }
}

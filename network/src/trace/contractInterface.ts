import { xdr } from '@stellar/stellar-sdk';
import { XdrCursor } from '../xdr/index.ts';

export interface FunctionInput {
  readonly name: string;
  readonly type: xdr.ScSpecTypeDef;
}

/** The interface that a contract declares: the names and types of its functions, values and errors (SEP-48). */
export interface ContractInterface {
  readonly functions: ReadonlyMap<string, readonly FunctionInput[]>;
  /** Return types, of functions that have one. */
  readonly results: ReadonlyMap<string, xdr.ScSpecTypeDef>;
  readonly types: ReadonlyMap<string, NamedType>;
  /** By number. */
  readonly errors: ReadonlyMap<number, NamedError>;
}

export type NamedType =
  | { readonly kind: 'struct'; readonly fields: readonly FunctionInput[] }
  | { readonly kind: 'union'; readonly cases: ReadonlyMap<string, readonly xdr.ScSpecTypeDef[]> }
  | { readonly kind: 'enum'; readonly cases: ReadonlyMap<number, string> };

export interface NamedError {
  readonly name: string;
  /** The first sentence of its documentation; empty if it has none. */
  readonly doc: string;
}

export const NO_INTERFACE: ContractInterface = {
  functions: new Map(),
  results: new Map(),
  types: new Map(),
  errors: new Map(),
};

const SECTION = 'contractspecv0';
/** The magic number and the version of a module. */
const HEADER = 8;
const CUSTOM_SECTION = 0;
/** Maximum length of an error's documentation. */
const MAX_DOC = 200;

/** Reads the interface in a contract's module, leaving out unreadable parts. */
export function contractInterface(module: Uint8Array): ContractInterface {
  const found = new InterfaceParts();
  try {
    for (const section of specSections(module)) readEntries(section, found);
  } catch (error) {
    // The section can contain anything; what was read before the error is kept.
    if (!isUnreadable(error)) throw error;
  }
  return found;
}

class InterfaceParts implements ContractInterface {
  readonly functions = new Map<string, readonly FunctionInput[]>();
  readonly results = new Map<string, xdr.ScSpecTypeDef>();
  readonly types = new Map<string, NamedType>();
  readonly errors = new Map<number, NamedError>();
}

/** Errors that `XdrCursor` and the SDK's decoder throw for invalid bytes. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error;
}

function readEntries(section: Uint8Array, found: InterfaceParts): void {
  const cursor = new XdrCursor(section);
  let left = section.length;
  while (left > 0) {
    const bytes = cursor.take(xdr.ScSpecEntry);
    left -= bytes.length;
    readEntry(xdr.ScSpecEntry.fromXdr(bytes), found);
  }
}

function readEntry(entry: xdr.ScSpecEntry, found: InterfaceParts): void {
  switch (entry.type) {
    case 'scSpecEntryFunctionV0': {
      const { name, inputs, outputs } = entry.functionV0;
      found.functions.set(name.toString(), inputs.map(namedInput));
      const [output] = outputs;
      if (output !== undefined) found.results.set(name.toString(), output);
      return;
    }
    case 'scSpecEntryUdtStructV0': {
      const { name, fields } = entry.udtStructV0;
      found.types.set(name.toString(), { kind: 'struct', fields: fields.map(namedInput) });
      return;
    }
    case 'scSpecEntryUdtUnionV0': {
      const cases = entry.udtUnionV0.cases.map((one): [string, readonly xdr.ScSpecTypeDef[]] =>
        one.type === 'scSpecUdtUnionCaseVoidV0'
          ? [one.voidCase.name.toString(), []]
          : [one.tupleCase.name.toString(), one.tupleCase.type],
      );
      found.types.set(entry.udtUnionV0.name.toString(), { kind: 'union', cases: new Map(cases) });
      return;
    }
    case 'scSpecEntryUdtEnumV0': {
      const cases = entry.udtEnumV0.cases.map(
        ({ value, name }) => [value, name.toString()] as const,
      );
      found.types.set(entry.udtEnumV0.name.toString(), { kind: 'enum', cases: new Map(cases) });
      return;
    }
    case 'scSpecEntryUdtErrorEnumV0':
      for (const { value, name, doc } of entry.udtErrorEnumV0.cases) {
        if (!found.errors.has(value)) {
          found.errors.set(value, { name: name.toString(), doc: firstSentence(doc.toString()) });
        }
      }
      return;
    default:
  }
}

function namedInput({ name, type }: xdr.ScSpecFunctionInputV0 | xdr.ScSpecUdtStructFieldV0) {
  return { name: name.toString(), type };
}

function firstSentence(doc: string): string {
  const text = doc.replace(/\s+/g, ' ').trim();
  const end = text.search(/\.(?: |$)/);
  return (end < 0 ? text : text.slice(0, end)).slice(0, MAX_DOC);
}

/** The custom sections with this name (WebAssembly 1.0, section 5.5). */
function* specSections(module: Uint8Array): Generator<Uint8Array> {
  const reader = new ModuleReader(module, HEADER);
  while (!reader.atEnd) {
    const kind = reader.byte();
    const content = reader.bytes(reader.number());
    if (kind !== CUSTOM_SECTION) continue;
    const inner = new ModuleReader(content, 0);
    const name = Buffer.from(inner.bytes(inner.number())).toString('utf8');
    if (name === SECTION) yield inner.rest();
  }
}

class ModuleReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new RangeError('the module ends early');
    this.#at += 1;
    return value;
  }

  /** Reads an unsigned number of at most 32 bits, with seven bits per byte. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('the number is too long');
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError('the module ends early');
    const found = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return found;
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}

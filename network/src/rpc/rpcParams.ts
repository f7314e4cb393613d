import { RpcError } from './rpcError.ts';

const UINT32_MAX = 0xffffffff;

/** Reads the named parameters of a call. A value of the wrong type is refused as in Stellar RPC. */
export class RpcParams {
  readonly #values: ReadonlyMap<string, unknown>;

  /** @param value an object, or nothing */
  constructor(value: unknown) {
    if (value !== undefined && value !== null && (typeof value !== 'object' || isArray(value))) {
      throw invalid('an object is expected');
    }
    this.#values = new Map(Object.entries(value ?? {}));
  }

  has(name: string): boolean {
    const value = this.#values.get(name);
    return value !== undefined && value !== null;
  }

  /** Empty if it is missing. */
  text(name: string): string {
    const value = this.#values.get(name) ?? '';
    if (typeof value !== 'string') throw invalid(`${name} is not a string`);
    return value;
  }

  /** False if it is missing. */
  flag(name: string): boolean {
    const value = this.#values.get(name) ?? false;
    if (typeof value !== 'boolean') throw invalid(`${name} is not a boolean`);
    return value;
  }

  /** Zero if it is missing. */
  count(name: string): number {
    const value = this.#values.get(name) ?? 0;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > UINT32_MAX) {
      throw invalid(`${name} is not an unsigned integer of 32 bits`);
    }
    return value;
  }

  /** Undefined if it is missing. */
  object(name: string): RpcParams | undefined {
    return this.has(name) ? new RpcParams(this.#values.get(name)) : undefined;
  }

  /** Empty if it is missing. */
  texts(name: string): string[] {
    return this.#list(name).map((value) => {
      if (typeof value !== 'string') throw invalid(`${name} must contain only strings`);
      return value;
    });
  }

  /** Empty if it is missing. */
  textLists(name: string): string[][] {
    return this.#list(name).map((value) => new RpcParams({ list: value }).texts('list'));
  }

  /** Empty if it is missing. */
  objects(name: string): RpcParams[] {
    return this.#list(name).map((value) => new RpcParams(value));
  }

  #list(name: string): unknown[] {
    const value = this.#values.get(name) ?? [];
    if (!isArray(value)) throw invalid(`${name} is not an array`);
    return value;
  }
}

function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function invalid(why: string): RpcError {
  return new RpcError('invalidParams', 'invalid parameters', why);
}

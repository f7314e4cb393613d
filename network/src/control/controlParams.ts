import { RpcError } from '../rpc/index.ts';

/** Reads the named parameters of a call strictly: an unknown parameter is refused by name. */
export class ControlParams {
  readonly #values: ReadonlyMap<string, unknown>;

  /**
   * @param value an object, or nothing
   * @param known the names of the method's parameters
   * @throws RpcError
   */
  constructor(value: unknown, known: readonly string[]) {
    const given = value ?? {};
    if (typeof given !== 'object' || Array.isArray(given)) {
      throw invalid('params must be an object with named members');
    }
    this.#values = new Map(Object.entries(given));
    for (const name of this.#values.keys()) {
      if (known.includes(name)) continue;
      const names = known.length === 0 ? 'none' : known.join(', ');
      throw invalid(`${name} is not a parameter of this method; it has ${names}`);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns the value unchecked; undefined if it is missing. */
  any(name: string): unknown {
    return this.#values.get(name);
  }

  text(name: string): string {
    const value = this.#values.get(name);
    if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a string`);
    return value;
  }

  /** In lower case. */
  transactionHash(name: string): string {
    const hash = this.text(name).toLowerCase();
    if (/^[0-9a-f]{64}$/.test(hash)) return hash;
    throw invalid(`${name} must be a transaction hash of 64 hexadecimal digits`);
  }

  flag(name: string): boolean {
    const value = this.#values.get(name);
    if (typeof value !== 'boolean') throw invalid(`${name} must be true or false`);
    return value;
  }

  /** @param range inclusive */
  whole(name: string, [least, most]: readonly [number, number], missing?: number): number {
    const value = this.#values.get(name) ?? missing;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      throw invalid(`${name} must be a whole number from ${least} to ${most}`);
    }
    return value;
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.#values.get(name);
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw invalid(`${name} must be one of ${choices.join(', ')}`);
    return found;
  }

  /** Bytes in base64, decoded by `read`. */
  base64<T>(name: string, what: string, read: (bytes: Buffer) => T | undefined): T {
    const text = this.text(name);
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')) {
      const value = attempt(() => read(bytes));
      if (value !== undefined) return value;
    }
    throw invalid(`${name} must be ${what} in base64`);
  }
}

/** The error for an invalid parameter. */
export function invalid(why: string): RpcError {
  return new RpcError('invalidParams', why);
}

function attempt<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

import type { Rejection } from '../../facilitator/index.ts';

/** A query parameter that is not what it has to be. */
export class BadParameter extends Error {
  readonly rejection: Rejection;

  constructor(code: Rejection['code'], detail?: string) {
    super(code);
    this.name = 'BadParameter';
    this.rejection = detail === undefined ? { code } : { code, detail };
  }
}

const MAX_VALUE_LENGTH = 256;
const MAX_UNAPPLIED = 20;
const MAX_NAME_LENGTH = 64;

/**
 * The parameters of a query, read one by one. What nobody has asked for in the end was not understood.
 * A parameter without a value counts as not given.
 */
export class Parameters {
  readonly #values: URLSearchParams;
  readonly #read = new Set<string>();

  constructor(url: string) {
    this.#values = new URL(url).searchParams;
  }

  /** @throws BadParameter when it is given twice, or is longer than `most` characters */
  text(name: string, most = MAX_VALUE_LENGTH): string | undefined {
    this.#read.add(name);
    const [value, ...more] = this.#values.getAll(name);
    if (more.length > 0) throw new BadParameter('invalid_parameter', `${name} is given twice`);
    if (value === undefined || value === '') return undefined;
    if (value.length <= most) return value;
    throw new BadParameter('invalid_parameter', `${name} is longer than ${most} characters`);
  }

  /** @throws BadParameter when it is no whole number within the bounds */
  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new BadParameter(
      'invalid_parameter',
      `${name} is a whole number from ${least} to ${most}`,
    );
  }

  /** An amount in atomic units. @throws BadParameter when it is none */
  amount(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d{1,38}$/.test(text)) return BigInt(text);
    throw new BadParameter('invalid_parameter', `${name} is an amount in atomic units`);
  }

  /** Names that nobody has read, as far as they are fit to be said. */
  unapplied(): string[] {
    const names = new Set(this.#values.keys());
    return [...names]
      .filter((name) => !this.#read.has(name))
      .map((name) => name.slice(0, MAX_NAME_LENGTH))
      .slice(0, MAX_UNAPPLIED);
  }
}

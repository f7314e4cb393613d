import { parseDecimalAmount } from '../../../protocol/index.ts';
import type { Rejection } from '../../facilitator/index.ts';

/** An invalid query parameter. */
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
const MAX_VALUES = 10;
const MAX_NAME_LENGTH = 64;

/**
 * The parameters of a query, read one by one. A parameter that nothing has read in the end has no effect.
 * A parameter without a value counts as missing.
 */
export class Parameters {
  readonly #values: URLSearchParams;
  readonly #read = new Set<string>();

  constructor(url: string) {
    this.#values = new URL(url).searchParams;
  }

  /** @throws BadParameter if it is given twice or is longer than `most` characters */
  text(name: string, most = MAX_VALUE_LENGTH): string | undefined {
    this.#read.add(name);
    const [value, ...more] = this.#values.getAll(name);
    if (more.length > 0) throw new BadParameter('invalid_parameter', `${name} is given twice`);
    if (value === undefined || value === '') return undefined;
    if (value.length <= most) return value;
    throw new BadParameter('invalid_parameter', `${name} is longer than ${most} characters`);
  }

  /** Like `text`, but truncates a longer text at a whole character. @throws BadParameter if given twice */
  cutText(name: string, most: number): string | undefined {
    const value = this.text(name, Number.POSITIVE_INFINITY);
    if (value === undefined || value.length <= most) return value;
    return value.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  }

  /** Returns all values of a parameter that may be given several times. @throws BadParameter if one is too long */
  texts(name: string): string[] {
    this.#read.add(name);
    const values = [...new Set(this.#values.getAll(name).filter((value) => value !== ''))];
    if (values.length <= MAX_VALUES && values.every((value) => value.length <= MAX_VALUE_LENGTH))
      return values;
    throw new BadParameter(
      'invalid_parameter',
      `${name} has at most ${MAX_VALUES} values of at most ${MAX_VALUE_LENGTH} characters`,
    );
  }

  /** A larger number counts as `most`. @throws BadParameter if it is not a whole number or is too small */
  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const number = /^\d{1,15}$/.test(text) ? Math.min(Number(text), most) : Number.NaN;
    if (number >= least) return number;
    throw new BadParameter('invalid_parameter', `${name} is a whole number from ${least}`);
  }

  /** True or false. @throws BadParameter if it is neither */
  flag(name: string): boolean | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (text === 'true' || text === 'false') return text === 'true';
    throw new BadParameter('invalid_parameter', `${name} is true or false`);
  }

  /** An amount in atomic units. @throws BadParameter if it is not an amount */
  amount(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d{1,38}$/.test(text)) return BigInt(text);
    throw new BadParameter('invalid_parameter', `${name} is an amount in atomic units`);
  }

  /** A price in USDC such as `0.01`, in atomic units. @throws BadParameter if the text is not a price */
  usdc(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const amount = parseDecimalAmount(text);
    if (amount !== undefined) return amount;
    throw new BadParameter('invalid_parameter', `${name} is a price in USDC such as 0.01`);
  }

  /** Returns the names of parameters that nothing has read, if they are safe to repeat. */
  unapplied(): string[] {
    const names = new Set(this.#values.keys());
    return [...names]
      .filter((name) => !this.#read.has(name))
      .map((name) => name.slice(0, MAX_NAME_LENGTH))
      .slice(0, MAX_UNAPPLIED);
  }
}

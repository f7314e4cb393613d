import {
  type AccountAddress,
  type AtomicAmount,
  type ContractAddress,
  parseAccountAddress,
  parseContractAddress,
  parseDecimalAmount,
  parseStellarAddress,
  type StellarAddress,
} from '../../../protocol/index.ts';
import {
  type DefinitionProblem,
  type DefinitionProblemCode,
  isPaymentCount,
  MAX_PAYMENTS,
} from '../../../protocol/policies/index.ts';

const MESSAGES: Readonly<Record<DefinitionProblemCode, string>> = {
  required: 'It is required.',
  wrong_type: 'It has the wrong type.',
  unknown_member: 'The member is unknown. A limit under a wrong name would have no effect.',
  unsupported_version: 'Only version "1" is known.',
  unknown_type: 'No template has this type.',
  not_one_wallet:
    'It must contain exactly one wallet, because a policy contract belongs to one account.',
  not_a_contract: 'It must be the address of a contract (C…).',
  not_a_token: 'It must be a token. This contract does not report its number of decimal places.',
  not_an_account: 'It must be the address of a key (G…).',
  malformed_amount:
    'It must be a decimal string such as "10.5", with no more decimal places than the asset has (XLM and USDC: 7).',
  amount_not_positive: 'It must be above zero.',
  not_a_count: `It must be a whole number from 1 to ${MAX_PAYMENTS}.`,
  over_the_limit: 'It must not exceed the limit, or it would have no effect.',
  not_an_address: 'It must be the address of an account (G…) or of a contract (C…).',
  own_wallet: 'The wallet cannot pay itself.',
  not_one_limit: 'A policy has exactly one limit. Generate one policy for each asset.',
  empty: 'It must not be empty.',
  too_many: 'It has too many items.',
  repeated: 'It occurs twice.',
};

/**
 * Maximum number of problems in a response, and of characters of a member's name in a problem, so that a response is not longer
 * than its request.
 */
const MAX_PROBLEMS = 50;
const MAX_CHARACTERS = 100;

type Members = Readonly<Record<string, unknown>>;

/** Collects problems, each with its location. */
export class Problems {
  readonly found: DefinitionProblem[] = [];

  add(path: string, code: DefinitionProblemCode): undefined {
    if (this.found.length < MAX_PROBLEMS) this.found.push({ path, code, message: MESSAGES[code] });
    return undefined;
  }

  flag(value: unknown, path: string): boolean | undefined {
    return typeof value === 'boolean' ? value : this.add(path, 'wrong_type');
  }

  /** Reads a number of payments. */
  count(value: unknown, path: string): number | undefined {
    return isPaymentCount(value) ? value : this.add(path, 'not_a_count');
  }

  /** Reads an object that has only the named members. */
  object(value: unknown, path: string, known: readonly string[]): Members | undefined {
    if (value === undefined) return this.add(path, 'required');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.add(path, 'wrong_type');
    }
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) this.add(`${path}/${pointerPart(name)}`, 'unknown_member');
    }
    return value as Members;
  }

  list(value: unknown, path: string, most: number): readonly unknown[] | undefined {
    if (value === undefined) return this.add(path, 'required');
    if (!Array.isArray(value)) return this.add(path, 'wrong_type');
    if (value.length === 0) return this.add(path, 'empty');
    if (value.length > most) return this.add(path, 'too_many');
    return value;
  }

  text(value: unknown, path: string): string | undefined {
    if (value === undefined) return this.add(path, 'required');
    return typeof value === 'string' ? value : this.add(path, 'wrong_type');
  }

  contract(value: unknown, path: string): ContractAddress | undefined {
    const text = this.text(value, path);
    if (text === undefined) return undefined;
    return parseContractAddress(text) ?? this.add(path, 'not_a_contract');
  }

  account(value: unknown, path: string): AccountAddress | undefined {
    const text = this.text(value, path);
    if (text === undefined) return undefined;
    return parseAccountAddress(text) ?? this.add(path, 'not_an_account');
  }

  address(value: unknown, path: string): StellarAddress | undefined {
    const text = this.text(value, path);
    if (text === undefined) return undefined;
    return parseStellarAddress(text) ?? this.add(path, 'not_an_address');
  }

  /** Reads a list of addresses, each once; `undefined` if one of them is invalid. */
  each<T>(
    value: unknown,
    path: string,
    most: number,
    read: (item: unknown, path: string) => T | undefined,
  ): readonly T[] | undefined {
    const items = this.list(value, path, most);
    if (items === undefined) return undefined;
    const values = items.map((item, index) => {
      const at = `${path}/${index}`;
      if (items.indexOf(item) !== index) return this.add(at, 'repeated');
      return read(item, at);
    });
    const good = values.filter((item) => item !== undefined);
    return good.length === values.length ? good : undefined;
  }

  /** Reads a decimal amount of an asset with this number of decimal places, in atomic units. */
  amount(value: unknown, path: string, decimals: number): AtomicAmount | undefined {
    const text = this.text(value, path);
    if (text === undefined) return undefined;
    const amount = parseDecimalAmount(text, decimals);
    if (amount === undefined) return this.add(path, 'malformed_amount');
    return amount > 0n ? amount : this.add(path, 'amount_not_positive');
  }
}

/** A member's name in a JSON pointer (RFC 6901). */
function pointerPart(name: string): string {
  const shown = name.length > MAX_CHARACTERS ? `${name.slice(0, MAX_CHARACTERS)}…` : name;
  return shown.replaceAll('~', '~0').replaceAll('/', '~1');
}

import {
  parseAccountAddress,
  parseContractAddress,
  parseDecimalAmount,
} from '../../protocol/index.ts';
import { isPaymentCount } from '../../protocol/policies/index.ts';
import { whatIsWrongWithAddress } from '../settings/index.ts';
import { t } from '../words/index.ts';

/** Returns what is wrong with a cap; `undefined` for a valid one. @param unit name of the asset */
export function whatIsWrongWithCap(text: string, unit: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return t('Enter an amount of {0}, such as 10 or 0.5.', unit);
  if (/\.\d{8,}$/.test(trimmed)) return t('An amount has at most 7 decimal places.');
  const amount = parseDecimalAmount(trimmed);
  if (amount === undefined) return t('Enter a decimal number with a point, such as 0.5.');
  return amount === 0n ? t('The cap must be greater than zero.') : undefined;
}

/** Returns what is wrong with a number of payments, which is optional. */
export function whatIsWrongWithCount(text: string): string | undefined {
  const trimmed = text.trim();
  const isCount = /^\d{1,10}$/.test(trimmed) && isPaymentCount(Number(trimmed));
  return trimmed === '' || isCount
    ? undefined
    : t('Enter a whole number of at least 1, or leave it empty.');
}

/** Returns what is wrong with a contract address. */
export function whatIsWrongWithContract(text: string): string | undefined {
  const trimmed = text.trim();
  if (parseContractAddress(trimmed) !== undefined) return undefined;
  if (/^G[A-Z2-7]{55}$/.test(trimmed))
    return t('This is an account (G…); a contract (C…) is required.');
  if (!/^C[A-Z2-7]{55}$/.test(trimmed)) {
    return t('A contract address is C followed by 55 characters (A–Z, 2–7).');
  }
  return t('This address has an invalid checksum: a character is wrong or missing.');
}

/** Returns what is wrong with an agent's public key. */
export function whatIsWrongWithKey(text: string): string | undefined {
  const trimmed = text.trim();
  return parseAccountAddress(trimmed) === undefined ? whatIsWrongWithAddress(trimmed) : undefined;
}

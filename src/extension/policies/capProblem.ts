import {
  parseAccountAddress,
  parseContractAddress,
  parseDecimalAmount,
} from '../../protocol/index.ts';
import { isPaymentCount } from '../../protocol/policies/index.ts';
import { whatIsWrongWithAddress } from '../settings/index.ts';
import { t } from '../words/index.ts';

/** What is wrong with a cap; `undefined` for a right one. @param unit name of the asset */
export function whatIsWrongWithCap(text: string, unit: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return t('Give an amount of {0}, such as 10 or 0.5.', unit);
  if (/\.\d{8,}$/.test(trimmed)) return t('An amount has at most 7 decimal places.');
  const amount = parseDecimalAmount(trimmed);
  if (amount === undefined) return t('Give a decimal number with a point, such as 0.5.');
  return amount === 0n ? t('The cap has to be above zero.') : undefined;
}

/** What is wrong with a number of payments, which may be left out. */
export function whatIsWrongWithCount(text: string): string | undefined {
  const trimmed = text.trim();
  const isCount = /^\d{1,10}$/.test(trimmed) && isPaymentCount(Number(trimmed));
  return trimmed === '' || isCount ? undefined : t('Give a whole number from 1, or nothing.');
}

/** What is wrong with the address of a contract. */
export function whatIsWrongWithContract(text: string): string | undefined {
  const trimmed = text.trim();
  if (parseContractAddress(trimmed) !== undefined) return undefined;
  if (/^G[A-Z2-7]{55}$/.test(trimmed))
    return t('This is an account (G…); a contract (C…) is needed.');
  if (!/^C[A-Z2-7]{55}$/.test(trimmed)) {
    return t('A contract address is C and 55 letters A–Z or digits 2–7.');
  }
  return t('The checksum of this address is wrong: a letter was mistyped or lost.');
}

/** What is wrong with an agent's public key. */
export function whatIsWrongWithKey(text: string): string | undefined {
  const trimmed = text.trim();
  return parseAccountAddress(trimmed) === undefined ? whatIsWrongWithAddress(trimmed) : undefined;
}

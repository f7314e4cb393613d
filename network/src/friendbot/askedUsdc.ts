import { parseDecimalAmount } from '../../../common/amount.ts';
import { FriendbotError } from './friendbotError.ts';

/** Maximum amount of USDC per request, in atomic units: everybody shares the market maker's supply. */
const MOST = 1_000n * 10_000_000n;

/**
 * Reads the amount of USDC in a request.
 * @param text a decimal number
 * @returns atomic units
 * @throws FriendbotError
 */
export function askedUsdc(text: string): bigint {
  const units = parseDecimalAmount(text);
  if (units === undefined || units <= 0n || units > MOST) {
    throw new FriendbotError('BAD_AMOUNT', 'usdc: invalid amount: must be from 0.0000001 to 1000');
  }
  return units;
}

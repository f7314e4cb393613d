import { parseDecimalAmount, USDC_CONTRACT } from '../../protocol/index.ts';

/** Contract of USDC on testnet and on networks with its passphrase. */
export const USDC: string = USDC_CONTRACT;

/**
 * Returns the atomic units of an amount of USDC: `usdc('0.1')` is `1000000n`.
 * @throws RangeError if it is not a decimal amount with at most 7 decimal places
 */
export function usdc(amount: string): bigint {
  const units = typeof amount === 'string' ? parseDecimalAmount(amount) : undefined;
  if (units !== undefined) return units;
  throw new RangeError(`${amount} is not an amount of USDC, such as "0.1".`);
}

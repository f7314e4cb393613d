import { parseDecimalAmount, USDC_CONTRACT, withoutUsdc } from '../../protocol/index.ts';

/** Contract of USDC on testnet and on networks with its passphrase. */
export const USDC: string = USDC_CONTRACT;

/**
 * Returns the atomic units of an amount of USDC, such as `0.1 USDC` or `0.1`.
 * @throws RangeError if it is not a decimal amount with at most 7 decimal places
 * @example
 * ```ts
 * import { usdc } from 'svc-x402-sdk';
 *
 * console.log(usdc('0.01 USDC')); // 100000n
 * ```
 */
export function usdc(amount: string): bigint {
  const units = typeof amount === 'string' ? parseDecimalAmount(withoutUsdc(amount)) : undefined;
  if (units !== undefined) return units;
  throw new RangeError(`${amount} is not an amount of USDC, such as "0.1 USDC".`);
}

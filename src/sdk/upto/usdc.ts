import { STELLAR_DECIMALS, STELLAR_TESTNET, USDC_CONTRACT } from '../../protocol/index.ts';

/** An asset that represents dollars, in the form of `@x402/core` 2.23 and later. */
export interface DollarAsset {
  readonly asset: string;
  readonly decimals: number;
  readonly symbol: string;
}

/** Returns the asset if it is testnet's USDC; `undefined` for every other. */
export function findDollarAsset(asset: string, network: string): DollarAsset | undefined {
  if (asset !== USDC_CONTRACT || network !== STELLAR_TESTNET) return undefined;
  return { asset: USDC_CONTRACT, decimals: STELLAR_DECIMALS, symbol: 'USDC' };
}

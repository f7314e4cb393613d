import type { AccountAddress, ContractAddress } from './address.ts';

/** The contract of XLM on networks with testnet's passphrase, derived from the passphrase alone. */
export const XLM_CONTRACT =
  'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC' as ContractAddress;

/** Circle's account that issues USDC on testnet; the embedded network uses the same issuer. */
export const USDC_ISSUER =
  'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' as AccountAddress;

/** The contract of that USDC, derived from the passphrase, the code and the issuer. */
export const USDC_CONTRACT =
  'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA' as ContractAddress;

/** Returns the display name of an asset: XLM, USDC, or its contract. */
export function assetName(contract: string): string {
  if (contract === XLM_CONTRACT) return 'XLM';
  return contract === USDC_CONTRACT ? 'USDC' : contract;
}

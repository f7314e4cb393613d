/** The contract of XLM on networks with testnet's passphrase: it follows from that alone. */
export const XLM_CONTRACT = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
/** Contract of testnet's USDC; the embedded network has the same issuer, and so the same contract. */
export const USDC_CONTRACT = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';

/** What people call an asset: XLM, USDC, or its contract. */
export function assetName(contract: string): string {
  if (contract === XLM_CONTRACT) return 'XLM';
  return contract === USDC_CONTRACT ? 'USDC' : contract;
}

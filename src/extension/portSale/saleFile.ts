import { t } from '../words/index.ts';
import type { SaleTerms } from './sale.ts';

/**
 * Returns the text of an `x402.yaml` that sells the same: `svc-x402 proxy --config x402.yaml` reads it.
 * @param isLocal whether the facilitator belongs to this machine: then its address is not written, because it can change
 */
export function saleFile(
  { upstream, price, payTo, facilitatorUrl }: SaleTerms,
  isLocal: boolean,
): string {
  return [
    `# ${t('Sells an API: svc-x402 proxy --config x402.yaml')}`,
    `upstream: ${upstream}`,
    `payTo: ${payTo}`,
    ...(isLocal ? [] : [`facilitator: ${facilitatorUrl}`]),
    `# ${t('Prices in USDC for each request, by route. "free" gives a route away:')}`,
    '# routes:',
    '#   GET /weather/{city}: 0.05',
    '#   GET /health: free',
    `# ${t('All other requests: a price, free, or closed.')}`,
    `otherwise: ${price}`,
    '',
  ].join('\n');
}

import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import type { Resource } from '../http/page.ts';
import type { PaymentPath } from '../paths/findPaths.ts';

/** A way to pay one asset with another. */
export function pathResource({ assets, sent, received }: PaymentPath): Resource {
  const [source] = assets;
  const destination = assets.at(-1);
  if (source === undefined || destination === undefined) return {};
  return {
    ...assetFields(source, 'source_'),
    source_amount: amountText(sent),
    ...assetFields(destination, 'destination_'),
    destination_amount: amountText(received),
    path: assets.slice(1, -1).map((asset) => assetFields(asset)),
  };
}

import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import type { PaymentPath } from '../paths/findPaths.ts';

/** A path, as `/paths/strict-send` and `/paths/strict-receive` have it. */
export type PathResource = ReturnType<typeof pathResource>;

/** A way to pay one asset with another. */
export function pathResource({ assets, sent, received }: PaymentPath) {
  const [source] = assets;
  const destination = assets.at(-1);
  if (source === undefined || destination === undefined) {
    throw new RangeError('a path leads through one asset at least');
  }
  return {
    ...assetFields(source, 'source_'),
    source_amount: amountText(sent),
    ...assetFields(destination, 'destination_'),
    destination_amount: amountText(received),
    path: assets.slice(1, -1).map((asset) => assetFields(asset)),
  };
}

import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import type { PaymentPath } from '../paths/findPaths.ts';

/** A path in the form of `/paths/strict-send` and `/paths/strict-receive`. */
export type PathResource = ReturnType<typeof pathResource>;

/** A path by which one asset is paid with another. */
export function pathResource({ assets, sent, received }: PaymentPath) {
  const [source] = assets;
  const destination = assets.at(-1);
  if (source === undefined || destination === undefined) {
    throw new RangeError('a path has at least one asset');
  }
  return {
    ...assetFields(source, 'source_'),
    source_amount: amountText(sent),
    ...assetFields(destination, 'destination_'),
    destination_amount: amountText(received),
    path: assets.slice(1, -1).map((asset) => assetFields(asset)),
  };
}

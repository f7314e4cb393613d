import type { ResourceKey } from '../../../protocol/index.ts';
import { paymentRequirementsSchema } from '../../../protocol/wire/index.ts';
import type { Queryable } from '../../store/index.ts';
import { MAX_OPTIONS } from '../bounds.ts';
import { amountOrder, optionOf, type PaymentOption } from '../paymentOption.ts';
import { readStoredObject } from './listingDocument.ts';

/** Stores the option that was paid; it replaces one with the same scheme, network and asset. */
export async function keepOption(
  within: Queryable,
  key: ResourceKey,
  option: PaymentOption,
  now: number,
): Promise<void> {
  await within.run(
    `INSERT INTO catalog_options (key, scheme, network, asset, amount_order, document, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key, scheme, network, asset) DO UPDATE SET
       amount_order = excluded.amount_order,
       document = excluded.document,
       updated_at = excluded.updated_at`,
    [
      key,
      option.scheme,
      option.network,
      option.asset,
      amountOrder(option.amount),
      JSON.stringify(option),
      now,
    ],
  );
  await within.run(
    `DELETE FROM catalog_options WHERE key = ? AND updated_at < COALESCE((
       SELECT updated_at FROM catalog_options WHERE key = ?
       ORDER BY updated_at DESC LIMIT 1 OFFSET ?), 0)`,
    [key, key, MAX_OPTIONS - 1],
  );
}

/** Parses a stored option; undefined if it is damaged. */
function readOption(document: string): PaymentOption | undefined {
  try {
    return optionOf(paymentRequirementsSchema.parse(readStoredObject(document, 'an option')));
  } catch {
    return undefined;
  }
}

/** Returns the options of some entries, by key, in a fixed order, without those that cannot be read. */
export async function optionsOf(
  within: Queryable,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly PaymentOption[]>> {
  const options = new Map<string, PaymentOption[]>();
  if (keys.length === 0) return options;
  const rows = await within.all<{ key: string; document: string }>(
    `SELECT key, document FROM catalog_options WHERE key IN (${keys.map(() => '?').join(', ')})
     ORDER BY key, scheme, asset`,
    keys,
  );
  for (const { key, document } of rows) {
    const option = readOption(document);
    if (option === undefined) continue;
    const known = options.get(key);
    if (known === undefined) options.set(key, [option]);
    else known.push(option);
  }
  return options;
}

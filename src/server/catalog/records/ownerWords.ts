import type { ResourceKey } from '../../../protocol/index.ts';
import { paymentRequirementsSchema } from '../../../protocol/wire/index.ts';
import type { Database, Queryable } from '../../store/index.ts';
import { MAX_OPTIONS } from '../bounds.ts';
import type { JsonObject } from '../declaration/jsonTree.ts';
import type { Listing } from '../declaration/listing.ts';
import { readDeclaration } from '../declaration/readDeclaration.ts';
import { optionOf, type PaymentOption } from '../paymentOption.ts';
import { extensionNames, writeListing } from './listingDocument.ts';
import { keepOption } from './options.ts';
import type { DueCheck } from './ownerRecords.ts';
import { changeUsage } from './usage.ts';

/** A challenge's declaration for the entry that was checked. */
interface OwnWords {
  readonly listing: Listing;
  readonly options: readonly PaymentOption[];
}

/** Returns the options of a challenge that pay this recipient on this network. */
function optionsFor(challenge: JsonObject, { payTo }: DueCheck): PaymentOption[] {
  const accepts = challenge['accepts'];
  return (Array.isArray(accepts) ? accepts : [])
    .slice(0, MAX_OPTIONS)
    .map((option) => paymentRequirementsSchema.safeParse(option))
    .flatMap(({ data }) => (data === undefined ? [] : optionOf(data)))
    .filter((option) => option.payTo === payTo && /^\d{1,38}$/.test(option.amount))
    .filter(
      ({ asset, scheme, network }) => asset.length <= 56 && scheme.length + network.length < 64,
    );
}

/** Reads a challenge as a declaration of exactly this entry. */
async function ownWords(challenge: JsonObject, due: DueCheck): Promise<OwnWords | undefined> {
  const read = await readDeclaration({
    resource: challenge['resource'],
    extensions: challenge['extensions'],
  });
  if (!read.ok || read.listing.key !== due.key) return undefined;
  const options = optionsFor(challenge, due);
  return options.length === 0 ? undefined : { listing: read.listing, options };
}

async function replace(
  within: Queryable,
  { key, payTo }: DueCheck,
  { listing, options }: OwnWords,
  now: number,
): Promise<boolean> {
  const document = writeListing(listing);
  const [row] = await within.all<{ bytes: number }>(
    'SELECT bytes FROM catalog_entries WHERE key = ? AND pay_to = ? AND listed = 1',
    [key, payTo],
  );
  if (row === undefined) return false;
  await changeUsage(within, payTo, { entries: 0, bytes: document.length - row.bytes });
  await within.run(
    `UPDATE catalog_entries SET extension_names = ?, document = ?, bytes = ?, owner_words = 1,
       updated_at = CASE document WHEN ? THEN updated_at ELSE ? END
     WHERE key = ?`,
    [extensionNames(listing), document, document.length, document, now, key],
  );
  await within.run('DELETE FROM catalog_options WHERE key = ?', [key]);
  for (const option of options) await keepOption(within, key as ResourceKey, option, now);
  return true;
}

/**
 * Copies texts, inputs and prices from the owner's challenge to a verified entry. From then on, payments
 * do not change them, since anyone can pay a seller and declare anything. If the challenge declares
 * nothing, or another resource, the entry continues to follow the buyers' echoes.
 * @returns whether the entry now matches the challenge
 */
export async function takeOwnerWords(
  database: Database,
  due: DueCheck,
  challenge: JsonObject | undefined,
  now: number,
): Promise<boolean> {
  const words = challenge === undefined ? undefined : await ownWords(challenge, due);
  return database.transaction(async (within) => {
    if (words !== undefined) return replace(within, due, words, now);
    await within.run('UPDATE catalog_entries SET owner_words = 0 WHERE key = ? AND pay_to = ?', [
      due.key,
      due.payTo,
    ]);
    return false;
  });
}

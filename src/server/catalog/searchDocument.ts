import type { SearchDocument } from '../search/index.ts';
import { isJsonObject, type Json } from './declaration/jsonTree.ts';
import type { CatalogEntry } from './entry.ts';

/** Maximum length of the text of names and descriptions to index. */
const MAX_SCHEMA_TEXT = 2_000;
/** Members of a schema whose text describes something. */
const TELLING = new Set(['description', 'title']);

function gather(node: Json | undefined, words: string[], depth = 0): void {
  if (depth > 12 || words.length > 200) return;
  if (Array.isArray(node)) {
    for (const item of node) gather(item, words, depth + 1);
  } else if (isJsonObject(node)) {
    for (const [name, value] of Object.entries(node)) {
      if (TELLING.has(name) && typeof value === 'string') words.push(value);
      if (name === 'properties' && isJsonObject(value)) words.push(...Object.keys(value));
      gather(value, words, depth + 1);
    }
  }
}

/** Returns the names and descriptions of inputs and outputs as text. */
function schemaText({ listing }: CatalogEntry): string {
  const words: string[] = [];
  const bazaar = listing.extensions['bazaar'];
  if (isJsonObject(bazaar)) {
    gather(bazaar['info'], words);
    gather(bazaar['schema'], words);
  }
  return [...new Set(words)].join(' ').slice(0, MAX_SCHEMA_TEXT);
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** Returns the texts of an entry that are compared with a query word by word. */
export function searchTexts({
  listing,
}: CatalogEntry): Pick<SearchDocument, 'url' | 'serviceName' | 'tags' | 'description'> {
  const { resource, toolName, serviceName, tags, description } = listing;
  return {
    url: toolName === undefined ? resource : `${resource} ${toolName}`,
    serviceName: serviceName ?? null,
    tags,
    description: description ?? null,
  };
}

/** Returns the search document of an entry. */
export function searchDocument(entry: CatalogEntry): SearchDocument {
  const { listing, accepts, trust } = entry;
  const checked = trust.ownerVerified || trust.localCheck === true;
  return {
    id: listing.key,
    sequence: entry.sequence,
    ...searchTexts(entry),
    schemaText: schemaText(entry),
    // Payments to a recipient that the URL's server does not name might cost the payer nothing, so they do not count.
    settlements: checked ? trust.settlements : 0,
    uniquePayers: checked ? trust.uniquePayers : 0,
    standing: entry.standing,
    // Anyone can declare a URL and pay its recipient, so such entries are counted apart from the owner's own.
    seller: checked ? entry.payTo : `unchecked ${entry.payTo}`,
    origin: checked ? listing.origin : `unchecked ${listing.origin}`,
    fields: {
      type: listing.type,
      payTo: [entry.payTo],
      scheme: distinct(accepts.map(({ scheme }) => scheme)),
      network: distinct(accepts.map(({ network }) => network)),
      extensions: Object.keys(listing.extensions),
    },
  };
}

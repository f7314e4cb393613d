import type { SearchDocument } from '../searchDocument.ts';
import { distinctWords } from '../text/distinctWords.ts';
import { urlText } from '../text/urlText.ts';

type Texts = Pick<SearchDocument, 'url' | 'serviceName' | 'tags' | 'description' | 'schemaText'>;

/** Models read only the beginning, and sellers can write a lot. */
const MAX_CHARACTERS = 2_000;
/** Maximum number of characters of a field to search for words. */
const MAX_READ = 4_000;

/**
 * Returns the text of an entry to embed: its description of itself, most specific first: one line for
 * each field, with each word once a line. */
export function embeddingText(document: Texts): string {
  return [
    document.serviceName ?? '',
    document.description ?? '',
    document.tags.join(', '),
    document.schemaText,
    urlText(document.url),
  ]
    .map((text) => distinctWords(text.slice(0, MAX_READ)))
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, MAX_CHARACTERS);
}

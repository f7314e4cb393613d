import { createHash } from 'node:crypto';
import { filterKeys } from './memory/filterIndex.ts';
import type { SearchDocument } from './searchDocument.ts';
import { embeddingText } from './semantic/embeddingText.ts';

/** Changes when what is kept of an entry does, so that entries of an older form are put anew. */
const FORM = 2;

/**
 * Digests of what an entry says, and of what of it is embedded: whether a `put` changes anything, which
 * after a settlement it mostly does not.
 */
export function saidDigests(document: SearchDocument): { said: string; embedded: string } {
  const { url, serviceName, tags, description, fields, sequence } = document;
  const embedded = digest(embeddingText(document));
  const all = [FORM, url, serviceName, tags, description, filterKeys(fields), sequence, embedded];
  return { said: digest(JSON.stringify(all)), embedded };
}

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('base64').slice(0, 22);

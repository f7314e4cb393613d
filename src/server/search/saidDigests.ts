import { createHash } from 'node:crypto';
import { filterKeys } from './memory/filterIndex.ts';
import type { SearchDocument } from './searchDocument.ts';
import { embeddingText } from './semantic/embeddingText.ts';

/** Change this when the indexed form of entries changes, so that entries of an older form are indexed again. */
export const FORM = 3;

/**
 * Returns digests of an entry's texts and of its embedded text, which show whether a `put` changes
 * anything. After a settlement, it usually does not.
 */
export function saidDigests(document: SearchDocument): { said: string; embedded: string } {
  const { url, serviceName, tags, description, fields, sequence, seller, origin } = document;
  const embedded = digest(embeddingText(document));
  const groups = [seller, origin];
  const texts = [url, serviceName, tags, description];
  const all = [FORM, ...texts, filterKeys(fields), sequence, groups, embedded];
  return { said: digest(JSON.stringify(all)), embedded };
}

/** The length of a digest. */
export const DIGEST_CHARACTERS = 22;

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('base64').slice(0, DIGEST_CHARACTERS);

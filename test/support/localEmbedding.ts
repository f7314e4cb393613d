import { LocalEmbedding } from '../../src/server/search/semantic/localEmbedding.ts';
import { readSearchWords } from '../../src/server/searchWords.ts';

/** The embedding of this process, with the table that ships. */
export const localEmbedding = (): LocalEmbedding => new LocalEmbedding(readSearchWords);

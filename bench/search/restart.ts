import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openCatalog } from '../../src/server/catalog/index.ts';
import { systemClock } from '../../src/server/clock.ts';
import { silentLogger } from '../../src/server/logger.ts';
import { openCatalogSearch } from '../../src/server/search/index.ts';
import { SEARCH_INDEX_FILE, searchIndexFile } from '../../src/server/searchIndexFile.ts';
import { readSearchWords } from '../../src/server/searchWords.ts';
import { openStore } from '../../src/server/store/index.ts';

const QUESTION = { query: 'weather forecast', filters: {}, narrowing: {}, limit: 20, cursor: null };
const LOOK_MS = 5;

/** A start of the catalog on a data folder: the time until a search returns all entries. */
export interface Started {
  /** From the opening of the store, in milliseconds. */
  readonly fullMs: number;
  readonly hits: number;
  /** The size of the stored index, or 0. */
  readonly bytes: number;
}

/** Opens the catalog on a folder, searches until the response is not partial, and closes it again. */
export async function start(dataFolder: string): Promise<Started> {
  const begin = performance.now();
  const database = await openStore({ databaseUrl: null, dataFolder });
  const search = await openCatalogSearch({
    database,
    embeddings: null,
    readWords: readSearchWords,
    indexFile: searchIndexFile(dataFolder),
    fetch,
    clock: systemClock,
    logger: silentLogger,
  });
  const catalog = openCatalog({
    ...{ database, search, clock: systemClock, logger: silentLogger },
    schemes: ['exact'],
  });
  let hits = 0;
  for (;;) {
    const answer = await catalog.search(QUESTION);
    if (answer.kind !== 'page') throw new Error(answer.code);
    hits = answer.hits.length;
    if (!answer.partialResults) break;
    await systemClock.sleep(LOOK_MS);
  }
  const fullMs = performance.now() - begin;
  await catalog.idle();
  await catalog.close();
  await database.close();
  const file = join(dataFolder, SEARCH_INDEX_FILE);
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return { fullMs, hits, bytes };
}

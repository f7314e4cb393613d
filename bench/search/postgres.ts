import pg from 'pg';
import { impacts } from '../../src/server/search/lexical/fieldTerms.ts';
import { queryKeys } from '../../src/server/search/lexical/queryKeys.ts';
import { filterKeys } from '../../src/server/search/memory/filterIndex.ts';
import { MemoryIndex } from '../../src/server/search/memory/memoryIndex.ts';
import { saidDigests } from '../../src/server/search/saidDigests.ts';
import { popularity, type SearchDocument } from '../../src/server/search/searchDocument.ts';
import { SqlIndex } from '../../src/server/search/sql/sqlIndex.ts';
import { openStore } from '../../src/server/store/index.ts';
import { postgresMissing, startPrivatePostgres } from '../../test/store/privatePostgres.ts';
import { labelledQueries, searchDocument } from '../../test/support/searchDocuments.ts';
import { table } from '../table.ts';
import { corpus } from './corpus.ts';
import { LIST_HEADER, listCells, measureList } from './list.ts';
import { percentile } from './measure.ts';

const BATCH = 5_000;
const PUTS = 300;

/** The lexical stage in PostgreSQL: entries are bulk-loaded, then added and searched one by one. */
export async function measurePostgres(entries: number): Promise<void> {
  if (postgresMissing !== undefined) {
    console.log(`\n${postgresMissing}`);
    return;
  }
  process.stderr.write(`PostgreSQL, ${entries} entries …\n`);
  const server = await startPrivatePostgres();
  const url = await server.createDatabase();
  const database = await openStore({ databaseUrl: url, dataFolder: null });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const begin = performance.now();
    await fill(client, entries);
    const loaded = performance.now() - begin;
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
       WHERE relname IN ('search_documents', 'search_postings', 'search_filters')`,
    );
    const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
    const index = await SqlIndex.open({
      database,
      provider: 'none',
      vectors: new MemoryIndex({ words: false }),
    });
    const puts: number[] = [];
    for (let n = 1; n <= PUTS; n += 1) {
      const document = searchDocument(`new${n}`, entries + n, {
        serviceName: 'Weather and prices',
        tags: ['weather', 'price', 'news'],
        description: 'Forecasts of the weather, and what it does to the price of wheat in Lisbon.',
      });
      const start = performance.now();
      await index.put(document);
      puts.push(performance.now() - start);
    }
    const scope = { filters: {}, asOf: entries + PUTS, depth: 1_000 };
    const [times, filtered]: [number[], number[]] = [[], []];
    let full = 0;
    for (const round of [0, 1]) {
      for (const { query } of labelledQueries()) {
        const keys = queryKeys(query);
        const start = performance.now();
        const found = await index.lexical(keys, scope);
        const between = performance.now();
        await index.lexical(keys, { ...scope, filters: { type: 'mcp', scheme: 'upto' } });
        if (round === 0) continue;
        times.push(between - start);
        filtered.push(performance.now() - between);
        if (found.length === scope.depth) full += 1;
      }
    }
    console.log(
      `\nPostgreSQL 15, ${entries.toLocaleString('en')} entries, lexical stage, milliseconds\n`,
    );
    console.log(
      table(
        ['', 'p50', 'p99'],
        [
          ['search', ...spread(times)],
          ['search with two filters', ...spread(filtered)],
          ['put of a new entry', ...spread(puts)],
        ],
      ),
    );
    console.log(
      `\nloaded and indexed in ${(loaded / 1_000).toFixed(0)} s, ${(bytes / 1e9).toFixed(2)} GB on disk; ` +
        `${full} of ${times.length} queries have ${scope.depth} matches or more`,
    );
    const list = await measureList(database, entries, 'VACUUM ANALYZE');
    console.log('\nA page of the list and its total, in PostgreSQL\n');
    console.log(table(LIST_HEADER, [[entries.toLocaleString('en'), ...listCells(list)]]));
  } finally {
    await client.end();
    await database.close();
    await server.close();
  }
}

const spread = (measured: readonly number[]): string[] =>
  [0.5, 0.99].map((share) => percentile(measured, share).toFixed(2));

async function fill(client: pg.Client, entries: number): Promise<void> {
  await client.query('DROP INDEX search_postings_heaviest');
  let batch: SearchDocument[] = [];
  for (const document of corpus(entries)) {
    batch.push(document);
    if (batch.length < BATCH && document.sequence < entries) continue;
    await insert(client, batch);
    batch = [];
  }
  await client.query("SET maintenance_work_mem = '1GB'");
  await client.query(
    'CREATE UNIQUE INDEX search_postings_heaviest ON search_postings (term, weight DESC, document)',
  );
  for (const name of ['documents', 'postings', 'filters']) {
    await client.query(`VACUUM ANALYZE search_${name}`);
  }
}

async function insert(client: pg.Client, batch: readonly SearchDocument[]): Promise<void> {
  const [documents, weights, terms]: [number[], number[], string[]] = [[], [], []];
  const [values, of]: [string[], number[]] = [[], []];
  const rows = batch.map((document) => {
    const said = impacts(document);
    for (const [term, weight] of said) {
      documents.push(document.sequence);
      weights.push(weight);
      terms.push(term);
    }
    const filters = filterKeys(document.fields);
    for (const value of filters) {
      values.push(value);
      of.push(document.sequence);
    }
    const digests = saidDigests(document);
    return { document, digests, said: JSON.stringify(said), filters: JSON.stringify(filters) };
  });
  await client.query(
    `INSERT INTO search_documents (id, sequence, popularity, said, embedded, keys, filters)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[],
       $7::text[])`,
    [
      rows.map(({ document }) => document.id),
      rows.map(({ document }) => document.sequence),
      rows.map(({ document }) => popularity(document)),
      rows.map(({ digests }) => digests.said),
      rows.map(({ digests }) => digests.embedded),
      rows.map(({ said }) => said),
      rows.map(({ filters }) => filters),
    ],
  );
  await client.query(
    `INSERT INTO search_postings (document, weight, term)
     SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::text[])`,
    [documents, weights, terms],
  );
  await client.query(
    'INSERT INTO search_filters (value, document) SELECT * FROM unnest($1::text[], $2::bigint[])',
    [values, of],
  );
}

import { createHash } from 'node:crypto';
import { type IndexFile, KeptDamaged } from './kept/indexFile.ts';
import { bytesOf } from './kept/sections.ts';
import { impacts } from './lexical/fieldTerms.ts';
import { MemoryIndex } from './memory/memoryIndex.ts';
import { FORM } from './saidDigests.ts';
import type { EmbeddingProvider } from './semantic/embeddingProvider.ts';
import { TOPICS } from './semantic/topics.ts';
import { NEVER_STEMMED, STEM_RULES, STOP_WORDS, SYNONYM_GROUPS } from './text/vocabulary.ts';

/** Change this when the blocks change. */
const BLOCKS = 2;

/** A text that passes through every part of the indexing, so that a change in any part shows. */
const PROBE = {
  url: 'https://probe.test/v1/mapped-queries',
  serviceName: 'Größere Wetterkarten 天气 मौसम',
  tags: ['forecasting', 'delayed', 'xlm'],
  description: 'Returns quotes, pictures and translations of the newest storeis for a place.',
};

/** The parts of a stored index besides the entries. */
interface Head {
  readonly form: string;
  readonly mark: string;
}

/**
 * Returns a text that differs if the same entries would be indexed differently: by another model, by another version of the
 * rules, words and tables, or on a machine with another byte order.
 */
async function formOf(provider: EmbeddingProvider): Promise<string> {
  const rules = [[...STOP_WORDS], SYNONYM_GROUPS, [...NEVER_STEMMED], TOPICS];
  const stems = STEM_RULES.map(({ ending, ...rule }) => [ending.source, rule]);
  const byteOrder = bytesOf(Uint16Array.of(1));
  const hash = createHash('sha256').update(
    JSON.stringify([BLOCKS, FORM, provider.name, ...byteOrder, rules, stems, impacts(PROBE)]),
  );
  if (provider.local) {
    const [vector] = await provider.embed([Object.values(PROBE).flat().join(' ')], 'entry');
    if (vector) hash.update(bytesOf(vector));
  }
  return hash.digest('hex');
}

function readHead(block: Uint8Array): Head {
  const head: unknown = JSON.parse(Buffer.from(block).toString());
  if (typeof head !== 'object' || head === null) throw new KeptDamaged('it has no head');
  const { form, mark } = head as Partial<Record<keyof Head, unknown>>;
  if (typeof form !== 'string' || typeof mark !== 'string') throw new KeptDamaged('it has no head');
  return { form, mark };
}

/**
 * Reads the stored index.
 * @param isKnown whether the store knows the mark that it was stored under
 * @throws KeptDamaged if the stored index cannot be used
 */
export async function readKeptIndex(
  file: IndexFile,
  provider: EmbeddingProvider,
  isKnown: (mark: string) => Promise<boolean>,
): Promise<MemoryIndex | null> {
  const reader = await file.read();
  if (reader === null) return null;
  try {
    const { form, mark } = readHead(await reader.next());
    if (form !== (await formOf(provider)))
      throw new KeptDamaged('it is of another version or model');
    if (!(await isKnown(mark))) throw new KeptDamaged('it does not belong to the store');
    const index = await MemoryIndex.restored(reader);
    if (!(await reader.ended())) throw new KeptDamaged('it is longer than it should be');
    return index;
  } catch (error) {
    // Text that is not JSON, or a list of impossible length.
    if (error instanceof SyntaxError || error instanceof RangeError)
      throw new KeptDamaged(error.message);
    throw error;
  } finally {
    await reader.close();
  }
}

/**
 * Writes the index. No entry may be put or removed until it is written.
 * @param mark the mark under which the store will know it
 * @param goOn checked before each block
 * @returns its size in bytes
 * @throws errors of the file system, or KeptDamaged if `goOn` returned false; the former index stays
 */
export async function writeKeptIndex(
  file: IndexFile,
  provider: EmbeddingProvider,
  mark: string,
  index: MemoryIndex,
  goOn: () => boolean,
): Promise<number> {
  const head: Head = { form: await formOf(provider), mark };
  function* blocks(): Generator<Uint8Array> {
    yield Buffer.from(JSON.stringify(head));
    for (const block of index.blocks()) {
      if (!goOn()) throw new KeptDamaged('the service is closing');
      yield block;
    }
  }
  return file.write(blocks());
}

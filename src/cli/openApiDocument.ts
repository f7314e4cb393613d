import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import {
  type ConfigProblem,
  type Documented,
  type DocumentRoutes,
  MAX_DOCUMENT_BYTES,
  type plainTerms,
  readDocument,
  withDocument,
} from '../proxy/index.ts';
import { CliError } from './cliError.ts';

/** How long the server of a document may take. */
const FETCH_MS = 10_000;

type Terms = ReturnType<typeof plainTerms>;

/** How the operations of a document are sold that have no price of their own. */
export interface Unpriced {
  /** `undefined`: they stay closed. */
  readonly price: Terms['price'] | undefined;
  readonly settle: Terms['settle'];
}

/**
 * Adds the operations of the OpenAPI document that a configuration names.
 * @param beside path of the configuration, to which a relative path belongs; `undefined`: the current folder
 * @throws CliError if the document cannot be read
 */
export async function withOpenApi<C extends Documented>(
  config: C,
  beside: string | undefined,
  { price, settle }: Unpriced,
): Promise<DocumentRoutes<C>> {
  const { openapi: source } = config;
  if (source === undefined) return { config, unsold: [] };
  const read = readDocument(await textOf(source, beside));
  if (!read.ok) throw new CliError('usage', describeProblems(source, read.problems));
  return withDocument(config, read.document, price, settle);
}

/** Returns problems as lines of a report, each with its place. */
export function describeProblems(path: string, problems: readonly ConfigProblem[]): string {
  return problems
    .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`)
    .join('\n');
}

async function textOf(source: string, beside: string | undefined): Promise<string> {
  if (/^https?:\/\//i.test(source)) return fetched(source);
  const path = isAbsolute(source) || beside === undefined ? source : join(dirname(beside), source);
  try {
    const { size } = await stat(path);
    // A longer one is refused by its length, before it is read.
    if (size > MAX_DOCUMENT_BYTES) throw new CliError('usage', `${path} is longer than 4 MiB.`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError('usage', `${path} cannot be read. Name another OpenAPI document.`, {
      cause,
    });
  }
}

async function fetched(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) });
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of response.body) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > MAX_DOCUMENT_BYTES) throw new Error('it is longer than 4 MiB');
    }
    return text + decoder.decode();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'no answer';
    throw new CliError('usage', `${url} cannot be read (${why}). Name another OpenAPI document.`, {
      cause,
    });
  }
}

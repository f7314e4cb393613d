import { LineCounter, parseDocument } from 'yaml';
import type { ConfigProblem } from '../config/readConfig.ts';

type Json = Readonly<Record<string, unknown>>;

/** Longest document, in bytes. */
export const MAX_DOCUMENT_BYTES = 4 << 20;

export type ReadDocument =
  | { readonly ok: true; readonly document: Json }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads an OpenAPI document of version 3.0 or 3.1.
 * @param text YAML, or JSON, which is YAML too
 */
export function readDocument(text: string): ReadDocument {
  const at = (line: number, column: number, message: string): ReadDocument => ({
    ok: false,
    problems: [{ line, column, message }],
  });
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) {
    return at(1, 1, 'The document is longer than 4 MiB.');
  }
  const counter = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: counter, logLevel: 'silent' });
  if (parsed.errors.length > 0) {
    const problems = parsed.errors.map(({ message, pos }) => {
      const { line, col } = counter.linePos(pos[0]);
      const [first = message] = message.split('\n');
      return { line, column: col, message: first.replace(/ at line \d+.*$/, '') };
    });
    return { ok: false, problems };
  }
  let document: unknown;
  try {
    // Aliases that multiply are refused by the parser.
    document = parsed.toJS({ maxAliasCount: 100 });
  } catch {
    return at(1, 1, 'The document has too many aliases.');
  }
  if (!isObject(document) || !/^3\.[01]\./.test(String(document['openapi']))) {
    return at(1, 1, 'This is not an OpenAPI document of version 3.0 or 3.1.');
  }
  if (!isObject(document['paths'])) return at(1, 1, 'The document has no paths.');
  return { ok: true, document };
}

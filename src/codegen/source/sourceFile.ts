import { ts } from 'ts-morph';

const KINDS: Readonly<Record<string, ts.ScriptKind>> = {
  '.js': ts.ScriptKind.JSX,
  '.mjs': ts.ScriptKind.JSX,
  '.cjs': ts.ScriptKind.JSX,
  '.jsx': ts.ScriptKind.JSX,
  '.ts': ts.ScriptKind.TS,
  '.mts': ts.ScriptKind.TS,
  '.cts': ts.ScriptKind.TS,
  '.tsx': ts.ScriptKind.TSX,
};

/** The extension of a JavaScript or TypeScript file's path; `undefined` for any other. */
export function scriptExtension(path: string): string | undefined {
  const extension = /\.[cm]?[jt]sx?$/.exec(path)?.[0];
  return extension !== undefined && extension in KINDS && !/\.d\.[cm]?ts$/.test(path)
    ? extension
    : undefined;
}

/**
 * Reads the syntax tree of a file. Positions are those of the unchanged text, including a byte order mark, which the scanner
 * treats as white space.
 */
export function parseSource(path: string, text: string): ts.SourceFile {
  const kind = KINDS[scriptExtension(path) ?? ''] ?? ts.ScriptKind.TS;
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
}

/** The parser's errors in a file, first to last. */
export function syntaxErrors(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  // The compiler stores them on the file and exposes them only through a program.
  const { parseDiagnostics } = file as ts.SourceFile & {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics ?? [];
}

/**
 * Runs a reading of code that can be nested arbitrarily deep. The compiler and the functions that walk its tree recurse once
 * per level, so code nested thousands of levels deep cannot be read.
 */
export function unlessTooDeep<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError && /call stack/i.test(error.message)) return otherwise;
    throw error;
  }
}

export function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

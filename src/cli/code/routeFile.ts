import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Route } from '../../codegen/index.ts';
import { CliError } from '../cliError.ts';

/** What `FILE[:LINE]` names. */
export interface Target {
  readonly path: string;
  /** The file as it was named. */
  readonly named: string;
  readonly text: string;
  readonly line: number | undefined;
}

/**
 * Reads the file that a command names.
 * @throws CliError when it is none, or no text of UTF-8
 */
export function readTarget(named: string): Target {
  const [, file = named, line] = existsSync(named) ? [] : (/^(.+):(\d+)$/.exec(named) ?? []);
  const path = resolve(file);
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new CliError('usage', `There is no file ${file}.`);
  }
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  // Written back, bytes that are no UTF-8 would be others.
  if (!Buffer.from(text, 'utf8').equals(bytes)) {
    throw new CliError('usage', `${file} is no UTF-8 text, so it is left alone.`);
  }
  return { path, named: file, text, line: line === undefined ? undefined : Number(line) };
}

export function writeTarget(path: string, text: string): void {
  writeFileSync(path, text);
}

/**
 * Where in the text the route is meant: at the line, or at the only route.
 * @throws CliError that lists the routes when there are several and none is named
 */
export function chosenOffset(
  target: Target,
  routes: readonly Route[],
  code: {
    readonly lineNumber: (text: string, offset: number) => number;
    readonly offsetOfLine: (text: string, line: number) => number | undefined;
  },
): number {
  const { text, line, named } = target;
  const [only] = routes;
  if (!only) throw new CliError('failed', `No endpoint was found in ${named}.`);
  if (line !== undefined) {
    const offset = code.offsetOfLine(text, line);
    if (offset === undefined) throw new CliError('usage', `${named} has no line ${line}.`);
    return offset;
  }
  if (routes.length === 1) return only.range.start;
  const rows = routes.map((route) => {
    const state = route.gated ? '  (paid)' : route.refusal ? '  (not possible)' : '';
    return `  :${code.lineNumber(text, route.range.start)}  ${route.method} ${route.path}${state}`;
  });
  throw new CliError(
    'usage',
    `There are several endpoints in ${named}. Name the line of one, as FILE:LINE:\n${rows.join('\n')}`,
  );
}

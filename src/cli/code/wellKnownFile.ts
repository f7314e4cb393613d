import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as Codegen from '../../codegen/index.ts';
import type { Report } from '../report.ts';
import type { AddCommand } from './codeOptions.ts';
import { shown } from './codeReport.ts';
import type { ReadRoutes } from './routeFile.ts';
import { replaceFile } from './sourceFiles.ts';
import { diskFiles } from './userProject.ts';

type Code = Pick<
  typeof Codegen,
  'findWellKnown' | 'listResource' | 'unlistResource' | 'findRoutes'
>;

const NO_PLACE =
  'The app has no folder of static files (public or static), so no /.well-known/x402 was written.';

/**
 * Lists endpoints that were sold in the app's own `/.well-known/x402`, if it has one or an origin is given.
 * @param read the file before the change
 */
export async function listInWellKnown(
  { project, source }: Pick<ReadRoutes, 'project' | 'source'>,
  sold: readonly Codegen.Route[],
  { origin }: Pick<AddCommand, 'origin'>,
  report: Report,
  code: Code,
): Promise<void> {
  const found = project && (await code.findWellKnown(project, diskFiles));
  if (found === undefined) {
    if (origin !== undefined) report.say(`- ${NO_PLACE}`, 'well-known', { note: NO_PLACE });
    return;
  }
  if (found.text === undefined && origin === undefined) return;
  let { text } = found;
  const notes = new Set<string>();
  for (const route of sold) {
    const listed = { route, code: source.text };
    const change = code.listResource({ ...found, text }, listed, origin);
    text = change.text ?? text;
    if (change.note !== undefined) notes.add(change.note);
  }
  keep(found, text, [...notes], report);
}

/** Removes an endpoint from the list when its payment is removed. @param read the file before the change */
export async function unlistInWellKnown(
  { project, source, routes }: Pick<ReadRoutes, 'project' | 'source' | 'routes'>,
  { route: { method, path } }: Codegen.Change,
  report: Report,
  code: Code,
): Promise<void> {
  const found = project && (await code.findWellKnown(project, diskFiles));
  const isGone = (one: Codegen.Route) => one.method === method && one.path === path;
  const gone = routes.find(isGone);
  if (found?.text === undefined || gone === undefined) return;
  const others = routes.filter((one) => one.gated !== undefined && !isGone(one));
  const { text } = code.unlistResource(found, { route: gone, code: source.text }, others);
  keep(found, text, [], report);
}

function keep(
  { path, text: before }: Codegen.WellKnown,
  text: string | undefined,
  notes: readonly string[],
  report: Report,
): void {
  const isChanged = text !== undefined && text !== before;
  if (isChanged) write(path, text);
  const lines = [...(isChanged ? [`Updated ${shown(path)}`] : []), ...notes];
  if (lines.length === 0) return;
  report.say(lines.map((line) => `- ${line}`).join('\n'), 'well-known', {
    file: path,
    changed: isChanged,
    notes,
  });
}

function write(path: string, text: string): void {
  if (existsSync(path)) {
    replaceFile(path, text);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: 'wx' });
}

import type * as Codegen from '../../codegen/index.ts';
import { CliError } from '../cliError.ts';
import type { Report } from '../report.ts';
import { type CheckedFile, type CheckedRoute, checkFile, isSound } from './checkRoutes.ts';
import { possiblePrefixes } from './prefixes.ts';
import { showChecked } from './showChecked.ts';
import { startApp } from './startApp.ts';
import { startCommand } from './startCommand.ts';
import { openTill } from './till.ts';

/** How to reach the app, and what to send with each request. */
export interface CheckOptions {
  /** The command line that starts the app. */
  readonly start?: string;
  /** The origin of an app that is already running. */
  readonly url?: string;
  /** `Name: value`, sent with each request. */
  readonly header?: readonly string[];
  readonly withWrites?: boolean;
}

/** What to check, and how. */
export interface CheckInput {
  readonly project: Codegen.Project | undefined;
  readonly files: readonly CheckedFile[];
  /** The project's code, searched for the paths at which routers are mounted. */
  readonly texts: Iterable<string>;
  readonly options: CheckOptions;
  readonly report: Report;
}

/**
 * Starts the user's own app and requests each paid route in every spelling, and the routes next to it. This runs the project's
 * code, which the user must have asked for.
 * @throws CliError if a paid route can be reached without paying, or a free one asks for a payment
 */
export async function checkEndpoints(input: CheckInput): Promise<void> {
  const { project, files, texts, options, report } = input;
  const headers = parsedHeaders(options.header ?? []);
  const prefixes = possiblePrefixes(texts);
  const asking = { headers, prefixes, withWrites: options.withWrites ?? false };
  const checked = await inApp(project, files[0]?.path, options, report, async (origin) => {
    const all: CheckedRoute[] = [];
    for (const file of files) all.push(...(await checkFile(file, { ...asking, origin })));
    return all;
  });
  showChecked(checked, report);
  const wrong = checked.filter((each) => !isSound(each)).length;
  if (wrong > 0) {
    throw new CliError(
      'failed',
      wrong === 1
        ? '1 endpoint did not pass the check.'
        : `${wrong} endpoints did not pass the check.`,
    );
  }
}

async function inApp<T>(
  project: Codegen.Project | undefined,
  file: string | undefined,
  { start, url }: CheckOptions,
  report: Report,
  work: (origin: string) => Promise<T>,
): Promise<T> {
  if (url !== undefined) return work(new URL(url).origin);
  if (!project) {
    throw new CliError(
      'usage',
      'No package.json was found above this file. Start the app yourself and add --url.',
    );
  }
  const command = startCommand(project, start, file);
  const till = await openTill();
  try {
    report.say(`Starting the app: ${command.line}`, 'starting', { command: command.line });
    const app = await startApp(command, { FACILITATOR_URL: till.url });
    try {
      return await work(app.origin);
    } finally {
      await app.stop();
    }
  } finally {
    await till.close();
  }
}

/** Reads headers as `--header` has them. @throws CliError */
export function parsedHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) {
        throw new CliError('usage', `${line} is not a header. Write it as "Name: value".`);
      }
      return [name, value];
    }),
  );
}

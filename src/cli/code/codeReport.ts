import { homedir } from 'node:os';
import { relative } from 'node:path';
import type * as Codegen from '../../codegen/index.ts';
import { dataFolderPath } from '../../machine/index.ts';
import { DEFAULT_FACILITATOR_PORT, parseDecimalAmount } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import { createReport, type Report } from '../report.ts';
import { runningService } from '../serviceFile.ts';
import type { AddCommand } from './codeOptions.ts';

/**
 * Refuses to write code whose packages TypeScript cannot resolve.
 * @throws CliError with the line to change
 */
export function refuseUnresolved(
  { resolution }: Pick<Codegen.WritingFacts, 'resolution'>,
  { allowTypeErrors }: Pick<AddCommand, 'allowTypeErrors'>,
): void {
  if (!resolution || allowTypeErrors === true) return;
  const { now, change, path, line } = resolution;
  throw new CliError(
    'failed',
    `TypeScript cannot find the types of the x402 packages with "moduleResolution": "${now}". Write ${change} in ${shown(path)}:${line} and run the command again, or add --allow-type-errors. Nothing was written.`,
  );
}

/** Returns the notes that stop a command, and the options with which it goes on. */
export function openNotes(
  code: Pick<typeof Codegen, 'notesToAccept'>,
  { notes, route }: Pick<Codegen.Change, 'notes' | 'route'>,
  { accept = [] }: Pick<AddCommand, 'accept'>,
): { readonly notes: readonly Codegen.Note[]; readonly options: string } {
  // A guess is confirmed by naming the framework, so that the rest of the command reads the file the same way.
  const open = code.notesToAccept(
    notes,
    accept.filter((id) => id !== 'guessed_framework'),
  );
  const options = open.map(({ id }) =>
    id === 'guessed_framework' ? `--framework ${route.framework}` : `--accept ${id}`,
  );
  return { notes: open, options: [...new Set(options)].join(' ') };
}

/**
 * Refuses to write a change that pays differently than it seems to, until the user has accepted its notes by name.
 * @throws CliError with the notes and the options that accept them
 */
export function refuseUnaccepted(
  code: Pick<typeof Codegen, 'notesToAccept'>,
  change: Pick<Codegen.Change, 'notes' | 'route'>,
  command: Pick<AddCommand, 'accept'>,
): void {
  const { notes, options } = openNotes(code, change, command);
  if (notes.length === 0) return;
  const said = notes.map(({ sentence }) => `- ${sentence}`).join('\n');
  throw new CliError(
    'failed',
    `Nothing was written, because this changes what is paid:\n${said}\nIf it is what you want, run the command again with ${options}.`,
  );
}

/** Prints the commands that come next: install, unless that is done, and pay. */
export function sayNext(
  code: typeof Codegen,
  project: Codegen.Project,
  route: Codegen.Route,
  options: AddCommand,
  report: Report,
): void {
  const { framework } = route;
  // npm would send values from the project's .npmrc to the package source, so it is called only with --install.
  const plan = code.installPlan(project, code.neededPackages(framework, code.newestSet(framework)));
  const place = relative(process.cwd(), plan.folder);
  const install = place === '' ? plan.line : `cd ${shown(plan.folder)} && ${plan.line}`;
  const pay = payCommand(route, options.price);
  const steps = options.install
    ? ['start your app on its port, and pay it:', pay]
    : ['install the packages, start your app on its port, and pay it:', install, pay];
  report.say(`\nNext, ${steps.join('\n  ')}`, 'packages', {
    folder: plan.folder,
    command: plan.line,
    pay,
  });
}

/** Default limit of `svc-x402 pay`: 0.1 USDC, in atomic units. */
const PAID_UNASKED = 1_000_000n;

/** Returns the shell command that pays the endpoint, on the port that most apps use. */
function payCommand({ method, path, mounted = path }: Codegen.Route, price: string): string {
  const url = `http://localhost:3000${mounted.startsWith('/') ? mounted : '/'}`;
  const isOther = method !== 'GET' && method !== '*';
  const isDear = (parseDecimalAmount(price) ?? 0n) > PAID_UNASKED;
  const more = isDear ? ` --max ${price}` : '';
  return `svc-x402 pay ${shellWord(url)}${isOther ? ` --method ${method}` : ''}${more}`;
}

/** Quotes a word so that every shell reads it as one word. */
function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** Returns the URL of the facilitator running on this machine, or the default one. */
export async function localFacilitator(): Promise<string> {
  const service = await runningService(dataFolderPath(process.env, homedir()));
  return service?.facilitatorUrl ?? `http://127.0.0.1:${DEFAULT_FACILITATOR_PORT}`;
}

export function reportFor({ json }: { readonly json?: boolean }): Report {
  return createReport(json ?? false, (text) => process.stdout.write(text));
}

export function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' ? '.' : near.startsWith('..') ? path : near;
}

import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import type * as Codegen from '../../codegen/index.ts';
import { dataFolderPath } from '../../machine/index.ts';
import { DEFAULT_FACILITATOR_PORT, parseDecimalAmount } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import { packageRoot } from '../packageRoot.ts';
import { createReport, type Report } from '../report.ts';
import { runningService } from '../serviceFile.ts';
import type { AddCommand } from './codeOptions.ts';
import type { ReadRoutes } from './routeFile.ts';
import { readSourceIfAny } from './sourceFiles.ts';
import { diskFiles } from './userProject.ts';

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

/** Returns the notes that stop a command, and the options with which it continues. */
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

/**
 * Prints the commands that come next: install, unless that is done, and pay.
 * @param read the route's file, which may show the port
 */
export async function sayNext(
  code: typeof Codegen,
  {
    project,
    file,
    source: { text },
  }: Pick<ReadRoutes, 'file' | 'source'> & {
    readonly project: Codegen.Project;
  },
  { route, isEngine }: Pick<Codegen.Change, 'route' | 'isEngine'>,
  options: AddCommand,
  report: Report,
): Promise<void> {
  const { framework } = route;
  // npm would send values from the project's .npmrc to the package source, so it is called only with --install.
  const packages = isEngine
    ? enginePackages()
    : code.neededPackages(framework, code.newestSet(framework));
  const plan = code.installPlan(project, packages);
  const place = relative(process.cwd(), plan.folder);
  const install = place === '' ? plan.line : `cd ${shown(plan.folder)} && ${plan.line}`;
  const before = await code.servedUnder({ file, text, folder: project.folder, route }, diskFiles);
  const path = `${before}${route.path}`;
  const served = before === '' ? route : { ...route, mounted: path };
  const pay = payCommand(served, options.price, text, project);
  const steps = options.install
    ? ['start your app on its port, and pay it:', pay]
    : ['install the packages, start your app on its port, and pay it:', install, pay];
  report.say(`\nNext, ${steps.join('\n  ')}`, 'packages', {
    folder: plan.folder,
    command: plan.line,
    pay,
  });
}

/** The package with our own engine: this program's own, in its version. */
export function enginePackages(): Parameters<typeof Codegen.installPlan>[1] {
  return [{ name: 'svc-x402', version: packageRoot().version }];
}

/** Default limit of `svc-x402 pay`: 0.1 USDC, in atomic units. */
const PAID_UNASKED = 1_000_000n;

/** Returns the shell command that pays the endpoint, at the address that the project's code and scripts show. */
function payCommand(
  route: Codegen.Route,
  price: string,
  text: string,
  { folder }: Codegen.Project,
): string {
  const { method } = route;
  const url = localUrl(route, text, {
    manifest: readSourceIfAny(join(folder, 'package.json')) ?? '',
    next: NEXT_SETTINGS.map((name) => readSourceIfAny(join(folder, name)) ?? '').join('\n'),
  });
  const isOther = method !== 'GET' && method !== '*';
  const isDear = (parseDecimalAmount(price) ?? 0n) > PAID_UNASKED;
  const more = isDear ? ` --max ${price}` : '';
  return `svc-x402 pay ${shellWord(url)}${isOther ? ` --method ${method}` : ''}${more}`;
}

const NEXT_SETTINGS = ['next.config.js', 'next.config.mjs', 'next.config.ts'];

/**
 * Returns the URL of an endpoint on this machine: with the port of the code or the script that starts it, Next.js's base path,
 * and an example for each parameter.
 */
export function localUrl(
  { framework, path, mounted = path }: Pick<Codegen.Route, 'framework' | 'path' | 'mounted'>,
  text: string,
  project: { readonly manifest: string; readonly next: string },
): string {
  const isNext = framework === 'next-app';
  const [, base = ''] =
    (isNext && /\bbasePath\s*:\s*['"](\/[^'"]{0,200})['"]/.exec(project.next)) || [];
  const [, scripted] =
    /"(?:start|dev)"\s*:\s*"[^"]{0,200}(?:\s-p|\s--port|\bPORT)[\s=]+(\d{2,5})/.exec(
      project.manifest,
    ) ?? [];
  const called = portIn(text);
  const port = (isNext ? undefined : called) ?? scripted ?? '3000';
  const named = isNext ? mounted.replaceAll(/\[\[?(?:\.\.\.)?[\w-]+\]\]?/g, EXAMPLES[0]) : mounted;
  const concrete = named
    .replaceAll(PARAMETER, (_, round?: string, curly?: string) => exampleOf(round ?? curly))
    // An optional part of Express 5.
    .replaceAll(/[{}]/g, '')
    .replaceAll(/\*\w*/g, EXAMPLES[0]);
  return `http://localhost:${port}${base}${concrete.startsWith('/') ? concrete : '/'}`;
}

/** A number, or a variable of the environment with a number in its place. */
const PORT =
  /(?:Number\()?(?:process\.env(?:\.PORT|\[['"]PORT['"]\])\s*(?:\?\?|\|\|)\s*)?['"]?(\d{2,5})/
    .source;
/** Where code says on which port it listens, surest first. A `port` elsewhere can be a database's. */
const PORTS = [
  new RegExp(String.raw`\.listen\(\s*(?:\{\s*port\s*:\s*)?${PORT}`, 'i'),
  new RegExp(String.raw`\bserve\(\s*\{[^{}]{0,300}?\bport\s*:\s*${PORT}`, 'i'),
  new RegExp(String.raw`\bexport\s+default\s*\{[^{}]{0,300}?\bport\s*:\s*${PORT}`, 'i'),
  new RegExp(String.raw`\b(?:const|let|var)\s+port\s*(?::\s*\w{1,20}\s*)?=\s*${PORT}`, 'i'),
];

function portIn(text: string): string | undefined {
  for (const pattern of PORTS) {
    const port = pattern.exec(text)?.[1];
    if (port !== undefined) return port;
  }
  return undefined;
}

/** A parameter of a path, with its pattern in round or curly brackets, which may contain one more pair. */
const PARAMETER =
  /:[A-Za-z_]\w*\??(?:\(((?:[^()]|\([^()]*\)){1,100})\)|\{((?:[^{}]|\{[^{}]*\}){1,100})\})?/g;
/** Values for a parameter; the first that its pattern takes is shown. */
const EXAMPLES = ['example', '1', '10', '2026'] as const;
/** One class of letters with one count, which cannot take long on a short text. Other patterns of a project are not run. */
const PLAIN_PATTERN = /^\^?(?:\\[dw]|\[[\w-]{1,20}\])(?:[+*]|\{\d(?:,\d?)?\})?\$?$/;
const WORDS = /^\w+(?:\|\w+)*$/;

function exampleOf(pattern: string | undefined): string {
  if (pattern === undefined) return EXAMPLES[0];
  if (WORDS.test(pattern)) return pattern.split('|')[0] ?? EXAMPLES[0];
  if (!PLAIN_PATTERN.test(pattern)) return EXAMPLES[0];
  try {
    const taken = new RegExp(`^(?:${pattern})$`);
    return EXAMPLES.find((value) => taken.test(value)) ?? EXAMPLES[0];
  } catch {
    return EXAMPLES[0];
  }
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

import type * as Codegen from '../../codegen/index.ts';
import type { CheckOptions } from '../check/index.ts';
import { CliError } from '../cliError.ts';
import { createReport, type Report } from '../report.ts';
import type { AddCommand, CheckCommand } from './codeOptions.ts';
import { shown } from './codeReport.ts';
import {
  chosenRoute,
  type ReadRoutes,
  readTarget,
  routesAndGaps,
  routesUnder,
  sayTests,
  type Target,
  testsLeftOut,
  wasRead,
} from './routeFile.ts';
import { readSourceIfAny, scriptsIn } from './sourceFiles.ts';

const loadCode = (): Promise<typeof Codegen> => import('../../codegen/index.ts');
/** The code that starts and queries an app is bundled with the service, so that the command line stays small. */
const loadService = async () => (await import('../service.ts')).service;

/**
 * `svc-x402 check TARGET`: starts the app, or takes the running one that a URL or a proxy's configuration is about, and requests
 * its paid endpoints in every spelling.
 */
export async function checkPayments(named: string, options: CheckCommand): Promise<void> {
  const report = createReport(options.json ?? false, (text) => process.stdout.write(text));
  if (/^https?:\/\//.test(named)) {
    const { checkUrl } = await loadService();
    await checkUrl(named, (options.method ?? 'GET').toUpperCase(), options, report);
    return;
  }
  if (/\.ya?ml$/.test(named)) {
    const { checkConfig } = await loadService();
    await checkConfig(named, options, report);
    return;
  }
  const code = await loadCode();
  const { files, tests } = await paidFiles(named, options, code);
  refuseDead(files.flatMap((file) => deadIn(file, code)));
  const [first] = files.filter(({ paid }) => paid.length > 0);
  if (!first) {
    throw new CliError(
      'failed',
      `No paid endpoint was found in ${named}. Add one first.${testsLeftOut(tests)}`,
    );
  }
  sayTests(tests, report);
  for (const { project, paid } of files) {
    if (project?.folder === first.project?.folder || paid.length === 0) continue;
    throw new CliError(
      'usage',
      `${named} has paid endpoints in several packages. Check one folder at a time: ${[...new Set(files.map((file) => file.project?.folder ?? file.path))].join(', ')}`,
    );
  }
  await checkFiles(
    files.filter(({ paid }) => paid.length > 0),
    options,
    report,
  );
}

/** The payments of a file whose routes are gone, each as a line of text. */
function deadIn({ source, path }: ReadRoutes, code: typeof Codegen): readonly string[] {
  return code.deadPayments(source).map(({ method, path: at, range }) => {
    const line = code.lineNumber(source.text, range.start);
    return `  ${shown(path)}:${line}  ${method} ${at}`;
  });
}

function refuseDead(dead: readonly string[]): void {
  if (dead.length === 0) return;
  throw new CliError(
    'failed',
    `There is a payment without a route: what was sold under this name was renamed, moved or removed, and is free wherever it is now.\n${dead.join('\n')}\nRemove each with \`svc-x402 remove FILE:LINE\`, and add the payment to the route again.`,
  );
}

/** Checks the endpoint that was just changed, in the current version of its file. */
export async function checkChanged(
  target: Target,
  { route: { method, path }, cursor }: Pick<Codegen.Change, 'route' | 'cursor'>,
  options: AddCommand,
  report: Report,
): Promise<void> {
  const code = await loadCode();
  for await (const read of routesUnder(target.path, options, code)) {
    const same = read.routes.filter(
      (route) => route.gated === 'marker' && route.method === method && route.path === path,
    );
    const route = same.find(({ range }) => range.end >= cursor) ?? same.at(-1);
    if (route) await checkFiles([{ ...read, paid: [route] }], options, report);
  }
}

type PaidFile = ReadRoutes & { readonly paid: readonly Codegen.Route[] };

async function checkFiles(
  files: readonly PaidFile[],
  options: CheckOptions,
  report: Report,
): Promise<void> {
  const project = files[0]?.project;
  const { checkEndpoints } = await loadService();
  await checkEndpoints({
    project,
    files: files.map(({ path, routes, paid }) => ({
      path,
      paid,
      others: routes.filter(({ gated, method }) => gated === undefined && method !== 'HEAD'),
    })),
    texts: project ? textsOf(project.folder) : files.map(({ source }) => source.text),
    options,
    report,
  });
}

async function paidFiles(
  named: string,
  options: CheckCommand,
  code: typeof Codegen,
): Promise<{ readonly files: readonly PaidFile[]; readonly tests: number }> {
  const isPaid = ({ gated }: Codegen.Route) => gated !== undefined;
  if (options.route === undefined && !/:\d+$/.test(named)) {
    const files: PaidFile[] = [];
    let tests = 0;
    for await (const read of routesAndGaps(named, options, code)) {
      if (!wasRead(read)) {
        ({ tests } = read);
        continue;
      }
      const paid = read.routes.filter(isPaid);
      if (paid.length > 0 || code.deadPayments(read.source).length > 0) {
        files.push({ ...read, paid });
      }
    }
    return { files, tests };
  }
  const target = await readTarget(named, options, code);
  const paid = target.routes.filter(isPaid);
  if (paid.length === 0) return { files: [{ ...target, paid: [] }], tests: 0 };
  const chosen = chosenRoute(target, paid, options.route, code);
  return { files: [{ ...target, paid: [chosen] }], tests: 0 };
}

function* textsOf(folder: string): Iterable<string> {
  for (const path of scriptsIn(folder).paths) {
    const text = readSourceIfAny(path);
    if (text !== undefined) yield text;
  }
}

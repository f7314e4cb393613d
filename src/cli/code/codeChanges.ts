import type * as Codegen from '../../codegen/index.ts';
import { CliError } from '../cliError.ts';
import type { Report } from '../report.ts';
import { addToAll } from './addToAll.ts';
import { checkChanged } from './checkPayments.ts';
import {
  type AddCommand,
  type ListCommand,
  NOBODY,
  type PriceCommand,
  type RemoveCommand,
} from './codeOptions.ts';
import {
  localFacilitator,
  refuseUnaccepted,
  refuseUnresolved,
  reportFor,
  sayNext,
  shown,
} from './codeReport.ts';
import { describeEdits } from './describeEdits.ts';
import { installPackages } from './installPackages.ts';
import {
  chosenRoute,
  readTarget,
  routesAndGaps,
  sayTests,
  type Target,
  wasRead,
} from './routeFile.ts';
import { replaceFile, type Unread } from './sourceFiles.ts';
import { diskFiles } from './userProject.ts';
import { listInWellKnown, unlistInWellKnown } from './wellKnownFile.ts';

const loadCode = (): Promise<typeof Codegen> => import('../../codegen/index.ts');

/** `svc-x402 add FILE[:LINE]`: adds a payment before an endpoint of the user's code, or with `--all` before each. */
export async function addPaymentTo(named: string, options: AddCommand): Promise<void> {
  const code = await loadCode();
  if (options.all) {
    await addToAll(named, options, code);
    return;
  }
  const target = await readTarget(named, options, code);
  const { source, project } = target;
  const report = reportFor(options);
  const route = chosenRoute(target, target.routes, options.route, code);
  const facts = await code.writingFacts(target.file, project, diskFiles);
  refuseUnresolved(facts, options);
  const facilitatorUrl = options.facilitatorUrl ?? (await localFacilitator());
  const { price, protocols } = options;
  const terms = { offset: route.range.start, price, protocols, facilitatorUrl, ...facts };
  const add = (payTo: string) => code.addPayment({ ...source, ...terms, payTo });
  // An account is created only for a payment that is written, not for a refused one or a dry run.
  const looked = options.payTo === 'new' ? add(NOBODY) : undefined;
  // What has to be accepted is asked before an account exists.
  if (looked?.ok && !options.dryRun) refuseUnaccepted(code, looked, options);
  const { service } = await import('../service.ts');
  const result =
    looked && (!looked.ok || options.dryRun)
      ? looked
      : add(await service.checkedPayTo(options, report));
  if (looked?.ok && options.dryRun) {
    report.say(
      `An account is created when the payment is written; ${NOBODY} stands for it.`,
      'account-later',
      { placeholder: NOBODY },
    );
  }
  const change = finish(code, target, result, options, report, 'Payment added');
  if (options.dryRun) return;
  await listInWellKnown(target, [route], options, report, code);
  if (!project) return;
  const { framework } = change.route;
  if (options.install) {
    const overrides = options.withOverrides ?? false;
    const { isEngine } = change;
    await installPackages(code, { framework, project, overrides, report, isEngine });
  }
  await sayNext(code, { ...target, project }, change, options, report);
  if (options.check) await checkChanged(target, change, options, report);
}

/** `svc-x402 remove FILE[:LINE]`: removes what `add` wrote. */
export async function removePaymentFrom(named: string, options: RemoveCommand): Promise<void> {
  const code = await loadCode();
  const target = await readTarget(named, options, code);
  const offset = paidOffset(target, options.route, code);
  const result = code.removePayment({ ...target.source, offset });
  const report = reportFor(options);
  const change = finish(code, target, result, options, report, 'Payment removed');
  if (!options.dryRun) await unlistInWellKnown(target, change, report, code);
}

/** `svc-x402 price FILE --route … --price …`: changes a price and nothing else. */
export async function changePrice(named: string, options: PriceCommand): Promise<void> {
  const code = await loadCode();
  const target = await readTarget(named, options, code);
  const offset = paidOffset(target, options.route, code);
  const result = code.setPrice({ ...target.source, offset, price: options.price });
  finish(code, target, result, options, reportFor(options), 'Price changed');
}

/** `svc-x402 list [FOLDER]`: the endpoints of a folder's code, and which are paid. */
export async function listRoutes(folder: string, options: ListCommand): Promise<void> {
  const code = await loadCode();
  const report = reportFor(options);
  let count = 0;
  const versionsIn = new Map<string, Codegen.FrameworkVersions>();
  const unread: Unread[] = [];
  let tests = 0;
  let proxied: string | undefined;
  for await (const read of routesAndGaps(folder, options, code)) {
    if (!wasRead(read)) {
      unread.push(...read.unread);
      tests += read.tests;
      continue;
    }
    const { path, source, routes, project } = read;
    proxied ??= code.soldByProxy(source);
    const dead = code.deadPayments(source);
    if (routes.length + dead.length === 0) continue;
    const versions = project
      ? (versionsIn.get(project.folder) ?? (await code.frameworkVersions(project, diskFiles)))
      : {};
    if (project) versionsIn.set(project.folder, versions);
    const rows = routes.map((route) => {
      const old = route.gated ? undefined : code.versionRefusal(route, versions);
      const refusal = route.refusal ?? old;
      const state = route.gated ? 'paid' : refusal ? 'not possible' : 'free';
      const line = code.lineNumber(source.text, route.range.start);
      return { route, refusal, state, line };
    });
    const lost = dead.map((route) => ({
      route,
      refusal: undefined,
      state: 'payment without a route',
      line: code.lineNumber(source.text, route.range.start),
    }));
    count += rows.length;
    if (options.json) {
      for (const { route, refusal, state, line } of [...rows, ...lost]) {
        const { framework, method } = route;
        report.say('', 'route', {
          file: path,
          line,
          framework,
          method,
          path: route.mounted ?? route.path,
          state,
          ...(refusal ? { code: refusal.code, reason: refusal.message } : {}),
        });
      }
      continue;
    }
    const lines = [...rows, ...lost].map(
      ({ route, refusal, state, line }) =>
        `  ${shown(path)}:${line}  ${route.method} ${route.mounted ?? route.path}  ${state}${state === 'not possible' ? `: ${refusal?.message}` : ''}`,
    );
    report.say(lines.join('\n'), 'routes', {});
  }
  sayUnread(unread, report);
  sayTests(tests, report);
  if (count === 0 && proxied !== undefined) report.say(proxied, 'proxy', { how: proxied });
  if (!options.json) {
    report.say(count === 1 ? '1 endpoint' : `${count} endpoints`, 'listed', { count });
  }
}

/** Maximum number of files that are named one by one. */
const MAX_NAMED = 20;

/** Names what was not read: an endpoint in it is missing from the list. */
function sayUnread(unread: readonly Unread[], report: Report): void {
  if (unread.length === 0) return;
  const named = unread.slice(0, MAX_NAMED).map(({ path, reason }) => `  ${shown(path)}: ${reason}`);
  const more = unread.length - named.length;
  const rest = more > 0 ? [`  and ${more} more`] : [];
  report.say(
    [`Not read, so endpoints there are not listed:`, ...named, ...rest].join('\n'),
    'unread',
    { files: unread.slice(0, MAX_NAMED), more: Math.max(more, 0) },
  );
}

/** A route with a payment, by name or line, or a line of the payment itself. */
function paidOffset(target: Target, named: string | undefined, code: typeof Codegen): number {
  const { line, source } = target;
  const routes = target.routes.filter(({ gated }) => gated === 'marker');
  const paid = [...routes, ...code.deadPayments(source)];
  if (paid.length === 0) return 0;
  if (named === undefined && line !== undefined) {
    const offset = code.offsetOfLine(source.text, line);
    if (offset !== undefined && code.isInPayment(source.text, offset)) return offset;
  }
  return chosenRoute(target, paid, named, code).range.start;
}

function finish(
  code: typeof Codegen,
  { path, source: { text } }: Target,
  result: Codegen.ChangeResult,
  { dryRun, json, accept }: RemoveCommand & Pick<AddCommand, 'accept'>,
  report: Report,
  done: string,
): Codegen.Change {
  if (!result.ok) {
    const { code: reason, message } = result.refusal;
    const how =
      reason === 'framework_unknown'
        ? ' Add --framework express, fastify or hono, and run the command again.'
        : '';
    throw new CliError('failed', message + how);
  }
  const { route, notes, cursor } = result;
  if (!dryRun) refuseUnaccepted(code, result, { accept });
  const changed = code.applyEdits(text, result.edits);
  const file = shown(path);
  if (!dryRun) replaceFile(path, changed);
  else if (!json) process.stdout.write(`${describeEdits(text, result.edits)}\n\n`);
  const what = dryRun ? `Dry run, nothing written. ${done}` : done;
  report.say(
    [
      `${what}: ${route.method} ${route.mounted ?? route.path} in ${file}:${code.lineNumber(changed, cursor)}`,
      ...notes.map(({ sentence }) => `- ${sentence}`),
    ].join('\n'),
    dryRun ? 'dry-run' : 'changed',
    {
      file: path,
      method: route.method,
      path: route.mounted ?? route.path,
      line: code.lineNumber(changed, cursor),
      notes,
      ...(dryRun ? { edits: result.edits } : {}),
    },
  );
  return result;
}

import type * as Codegen from '../../codegen/index.ts';
import type { Report } from '../report.ts';
import { checkPayments } from './checkPayments.ts';
import { type AddCommand, NOBODY } from './codeOptions.ts';
import {
  localFacilitator,
  openNotes,
  refuseUnresolved,
  reportFor,
  sayNext,
  shown,
} from './codeReport.ts';
import { installPackages } from './installPackages.ts';
import { type ReadRoutes, routesAndGaps, sayTests, wasRead } from './routeFile.ts';
import { replaceFile } from './sourceFiles.ts';
import { diskFiles } from './userProject.ts';
import { listInWellKnown } from './wellKnownFile.ts';

/** A route that is sold, and with which packages. */
type Sold = Pick<Codegen.Change, 'route' | 'isEngine'>;

/** A file with a payment before each endpoint that can have one. */
interface PlannedFile {
  readonly read: ReadRoutes;
  readonly text: string;
  readonly sold: readonly Sold[];
}

/**
 * `svc-x402 add FOLDER --all`: shows what it would write, and writes it with `--yes`.
 * @throws CliError when the folder has no endpoint, or TypeScript cannot resolve the packages
 */
export async function addToAll(
  folder: string,
  options: AddCommand,
  code: typeof Codegen,
): Promise<void> {
  const report = reportFor(options);
  const writes = options.yes === true && options.dryRun !== true;
  const { service } = await import('../service.ts');
  const isNew = options.payTo === 'new';
  const payTo = isNew && !writes ? NOBODY : await service.checkedPayTo(options, report);
  const facilitatorUrl = options.facilitatorUrl ?? (await localFacilitator());
  const files: PlannedFile[] = [];
  for await (const read of routesAndGaps(folder, options, code)) {
    if (!wasRead(read)) {
      sayTests(read.tests, report);
      continue;
    }
    const planned = await planFile(read, options, { payTo, facilitatorUrl }, code, report);
    if (planned.sold.length > 0) files.push(planned);
  }
  const count = files.reduce((sum, { sold }) => sum + sold.length, 0);
  const what = `${count} payment${count === 1 ? '' : 's'} in ${files.length} file${files.length === 1 ? '' : 's'}`;
  const facts = { payments: count, files: files.length };
  if (!writes || count === 0) {
    const how = count === 0 ? '' : ' Add --yes to write them.';
    report.say(`\n${what} planned. Nothing was written.${how}`, 'planned', facts);
    return;
  }
  for (const { read, text } of files) replaceFile(read.path, text);
  report.say(`\n${what} added.`, 'added', facts);
  for (const { read, sold } of files) {
    const routes = sold.map(({ route }) => route);
    await listInWellKnown(read, routes, options, report, code);
  }
  await goOn(files, options, code, report);
  if (options.check) await checkPayments(folder, options);
}

/** Puts a payment before each endpoint of a file, and prints the result for each. */
async function planFile(
  read: ReadRoutes,
  options: AddCommand,
  terms: Pick<Codegen.AddPaymentInput, 'payTo' | 'facilitatorUrl'>,
  code: typeof Codegen,
  report: Report,
): Promise<PlannedFile> {
  const { source, routes, path } = read;
  const free = routes.filter(({ gated }) => gated === undefined);
  let { text } = source;
  if (free.length === 0) return { read, text, sold: [] };
  const facts = await code.writingFacts(read.file, read.project, diskFiles);
  if (free.some(({ refusal }) => refusal === undefined)) refuseUnresolved(facts, options);
  const sold: Sold[] = [];
  let kept = 0;
  for (const route of free) {
    // An endpoint that has a payment is skipped.
    const left = code.findRoutes({ ...source, text }).filter(({ gated }) => gated === undefined);
    const same = left[kept];
    if (same?.method !== route.method || same.path !== route.path) continue;
    const given = {
      ...source,
      ...facts,
      ...terms,
      text,
      price: options.price,
      protocols: options.protocols,
    };
    const result = code.addPayment({ ...given, offset: same.range.start });
    const line = code.lineNumber(source.text, route.range.start);
    // In the unchanged file, the line that a refusal names is the line that the user sees.
    const asItIs = () =>
      code.addPayment({ ...given, text: source.text, offset: route.range.start });
    const reason = result.ok ? undefined : (refusalOf(asItIs()) ?? result.refusal);
    const open = result.ok ? openNotes(code, result, options) : undefined;
    const isOpen = open !== undefined && open.notes.length > 0;
    const state = reason
      ? `not possible: ${reason.message}`
      : isOpen
        ? `needs ${open.options}: ${open.notes.map(({ sentence }) => sentence).join(' ')}`
        : `${options.price} USDC`;
    report.say(
      `  ${shown(path)}:${line}  ${route.method} ${route.mounted ?? route.path}  ${state}`,
      'plan',
      {
        file: path,
        line,
        method: route.method,
        path: route.mounted ?? route.path,
        ...(reason ? { code: reason.code, reason: reason.message } : { price: options.price }),
        ...(isOpen ? { needs: open.options, notes: open.notes } : {}),
      },
    );
    if (!result.ok || isOpen) {
      kept += 1;
      continue;
    }
    text = code.applyEdits(text, result.edits);
    sold.push({ route, isEngine: result.isEngine });
  }
  return { read, text, sold };
}

function refusalOf(result: Codegen.ChangeResult): Codegen.Refusal | undefined {
  return result.ok ? undefined : result.refusal;
}

/** Installs the packages for each project and framework, or prints the commands for it. */
async function goOn(
  files: readonly PlannedFile[],
  options: AddCommand,
  code: typeof Codegen,
  report: Report,
): Promise<void> {
  const done = new Set<string>();
  for (const { read, sold } of files) {
    const { project } = read;
    for (const { route, isEngine } of sold) {
      const name = `${project?.folder} ${route.framework} ${isEngine}`;
      if (!project || done.has(name)) continue;
      done.add(name);
      if (options.install) {
        const { framework } = route;
        const overrides = options.withOverrides ?? false;
        await installPackages(code, { framework, project, overrides, report, isEngine });
      }
      await sayNext(code, { ...read, project }, { route, isEngine }, options, report);
    }
  }
}

import { homedir } from 'node:os';
import { relative } from 'node:path';
import type * as Codegen from '../../codegen/index.ts';
import { dataFolderPath } from '../../machine/index.ts';
import { DEFAULT_FACILITATOR_PORT } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import { createReport, type Report } from '../report.ts';
import { runningService } from '../serviceFile.ts';
import type { AddCommand, RemoveCommand } from './codeOptions.ts';
import { describeEdits } from './describeEdits.ts';
import { installPackages } from './installPackages.ts';
import { npmIn } from './npmIn.ts';
import { chosenOffset, readTarget, type Target, writeTarget } from './routeFile.ts';
import { diskFiles, nextVersionOf } from './userProject.ts';

const loadCode = (): Promise<typeof Codegen> => import('../../codegen/index.ts');

/** `svc-x402 add FILE[:LINE]`: puts a payment before an endpoint of the user's code. */
export async function addPaymentTo(named: string, options: AddCommand): Promise<void> {
  const code = await loadCode();
  const target = readTarget(named);
  const report = reportFor(options);
  const file = withSlashes(target.path);
  const project = await code.findProject(file, diskFiles);
  const path = await code.pathInProject(file, diskFiles);
  const { text } = target;
  const offset = chosenOffset(target, code.findRoutes({ path, text }), code);
  const result = code.addPayment({
    path,
    text,
    offset,
    price: options.price,
    payTo: options.payTo,
    facilitatorUrl: options.facilitatorUrl ?? (await localFacilitator()),
    packageName: project?.manifest.name,
    packageModules: project?.manifest.type === 'module' ? 'esm' : 'commonjs',
    nextVersion: project && nextVersionOf(project),
  });
  const change = finish(code, target, result, options, report, 'Payment added');
  if (options.dryRun || !project) return;
  const { framework } = change.route;
  if (options.install) {
    const overrides = options.withOverrides ?? false;
    await installPackages(code, { framework, project, overrides, report });
    return;
  }
  const { set } = await code.chooseSet(framework, code.packageSource(npmIn(project.folder)));
  const plan = code.installPlan(project, code.neededPackages(framework, set));
  report.say(
    `\nIt needs these packages; --install adds them:\n  cd ${shown(plan.folder)} && ${plan.line}`,
    'packages',
    { folder: plan.folder, command: plan.line },
  );
}

/** `svc-x402 remove FILE[:LINE]`: takes away what `add` put there. */
export async function removePaymentFrom(named: string, options: RemoveCommand): Promise<void> {
  const code = await loadCode();
  const target = readTarget(named);
  const { text } = target;
  const path = await code.pathInProject(withSlashes(target.path), diskFiles);
  const paid = code.findRoutes({ path, text }).filter(({ gated }) => gated === 'marker');
  const offset = paid.length === 0 ? 0 : chosenOffset(target, paid, code);
  const result = code.removePayment({ path, text, offset });
  finish(code, target, result, options, reportFor(options), 'Payment removed');
}

function finish(
  code: typeof Codegen,
  { path, text }: Target,
  result: Codegen.ChangeResult,
  { dryRun, json }: RemoveCommand,
  report: Report,
  done: string,
): Codegen.Change {
  if (!result.ok) throw new CliError('failed', result.refusal.message);
  const { route, notes, cursor } = result;
  const changed = code.applyEdits(text, result.edits);
  const file = shown(path);
  if (!dryRun) writeTarget(path, changed);
  else if (!json) process.stdout.write(`${describeEdits(text, result.edits)}\n\n`);
  const said = `${done}${dryRun ? ' in this way, when it is not a dry run' : ''}: ${route.method} ${route.path} in ${file}:${code.lineNumber(changed, cursor)}`;
  report.say(
    [said, ...notes.map((note) => `- ${note}`)].join('\n'),
    dryRun ? 'dry-run' : 'changed',
    {
      file: path,
      method: route.method,
      path: route.path,
      line: code.lineNumber(changed, cursor),
      notes,
      ...(dryRun ? { edits: result.edits } : {}),
    },
  );
  return result;
}

/** The facilitator that runs on this machine now, or where one would run. */
async function localFacilitator(): Promise<string> {
  const service = await runningService(dataFolderPath(process.env, homedir()));
  return service?.facilitatorUrl ?? `http://127.0.0.1:${DEFAULT_FACILITATOR_PORT}`;
}

function reportFor({ json }: RemoveCommand): Report {
  return createReport(json ?? false, (text) => process.stdout.write(text));
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' ? '.' : near.startsWith('..') ? path : near;
}

import { type ChildProcess, spawn } from 'node:child_process';
import {
  CustomExecution,
  commands,
  EventEmitter,
  type Pseudoterminal,
  Task,
  TaskRevealKind,
  TaskScope,
  tasks,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { ChosenSet, InstallPlan, PackageSet, Project, Route } from '../../codegen/index.ts';
import { findProgram, npmIn } from '../../machine/index.ts';
import { explainInstall } from '../packages/installFailure.ts';
import { missingPackages, packagesInCode } from '../server/index.ts';
import { t } from '../words/index.ts';
import { type App, NotTrusted } from './app.ts';
import { copy } from './copied.ts';
import { projectFilesOf, readDocument } from './projectFiles.ts';
import { routeDocument } from './routeAtHand.ts';

/** How an install ended. */
interface InstallResult {
  /** `undefined` if it did not start or was stopped. */
  readonly code: number | undefined;
  /** The end of its output. */
  readonly output: string;
}

const KEPT = 64 * 1024;
const INTERRUPT = '\u0003';

/** Runs an install as a task in a visible terminal, and keeps its output. */
async function runInTerminal(document: Uri, plan: InstallPlan): Promise<InstallResult> {
  const cwd = document.with({ path: plan.folder }).fsPath;
  return new Promise((resolve) => {
    const task = new Task(
      { type: 'svc-x402' },
      workspace.getWorkspaceFolder(document) ?? TaskScope.Workspace,
      t('install x402 packages'),
      'Svc',
      new CustomExecution(async () => installTerminal(plan, cwd, resolve)),
    );
    task.presentationOptions = { reveal: TaskRevealKind.Always, focus: false };
    tasks.executeTask(task).then(undefined, () => resolve({ code: undefined, output: '' }));
  });
}

function installTerminal(
  plan: InstallPlan,
  cwd: string,
  ended: (result: InstallResult) => void,
): Pseudoterminal {
  const written = new EventEmitter<string>();
  const closed = new EventEmitter<number>();
  let child: ChildProcess | undefined;
  let output = '';
  const write = (text: string) => {
    output = (output + text).slice(-KEPT);
    written.fire(text.replace(/\r?\n/g, '\r\n'));
  };
  const finish = (code: number | undefined) => {
    closed.fire(code ?? 1);
    ended({ code, output });
  };
  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open() {
      write(`> ${plan.line}\n`);
      const program = findProgram(plan.command, cwd);
      if (!program) {
        write(t('{0} was not found on this machine.\n', plan.command));
        finish(undefined);
        return;
      }
      const { command, args, windowsVerbatimArguments } = program(plan.args);
      child = spawn(command, [...args], {
        cwd,
        // The package manager's child processes must not start the project's programs either.
        env: { ...process.env, NoDefaultCurrentDirectoryInExePath: '1' },
        windowsHide: true,
        windowsVerbatimArguments,
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => write(text));
      }
      child.once('error', (error) => {
        write(`${error.message}\n`);
        finish(undefined);
      });
      child.once('close', (code) => finish(code ?? undefined));
    },
    close: () => child?.kill(),
    handleInput(text) {
      if (text === INTERRUPT) child?.kill('SIGINT');
    },
  };
}

const installed = new EventEmitter<void>();
/** An install has ended: packages may be there that were missing before. */
export const onInstalled = installed.event;

/**
 * Offers to install what the generated code needs, with the project's own package manager in a visible terminal (spec: Editor
 * extension command, step 7).
 */
export async function offerInstall(
  app: App,
  document: Uri,
  project: Project | undefined,
  framework: Route['framework'],
): Promise<void> {
  if (project === undefined) {
    void window.showInformationMessage(
      t('No package.json was found for this file. Create one, then install the x402 packages.'),
    );
    return;
  }
  const codegen = await import('../../codegen/index.ts');
  const folder = document.with({ path: project.folder });
  const newest = codegen.newestSet(framework);
  if (folder.scheme !== 'file') {
    tellVirtual(codegen.neededPackages(framework, newest));
    return;
  }
  const absent = new Set(
    await missingPackages(
      document.fsPath,
      codegen.neededPackages(framework, newest).map(({ name }) => name),
    ),
  );
  const declared = { ...project.manifest.dependencies, ...project.manifest.devDependencies };
  const planOf = (set: PackageSet) => {
    const needed = codegen.neededPackages(framework, set);
    const missing = needed.filter(({ name }) => !(name in declared));
    return { count: missing.length, plan: codegen.installPlan(project, missing) };
  };
  const offered = planOf(newest);
  // What package.json names and nothing has installed: a fresh clone, or an install that failed.
  const rest = [...absent].filter((name) => name in declared);
  if (offered.count === 0 && rest.length === 0) return;
  const restPlan = codegen.installPlan(
    project,
    rest.map((name) => ({ name, version: declared[name] ?? 'latest' })),
  );
  const shownPlan = offered.count > 0 ? offered.plan : restPlan;
  const install = { label: t('$(cloud-download) Install'), detail: shownPlan.line };
  const copyLine = { label: t('$(copy) Copy Command'), detail: t('To install them yourself') };
  const choice = await window.showQuickPick([install, copyLine], {
    title: t('The payment needs {0} packages', Math.max(offered.count, rest.length)),
    placeHolder: t('Install them in a terminal?'),
    ignoreFocusOut: true,
  });
  if (choice === copyLine) await copy(shownPlan.line, t('install command'));
  if (choice !== install) return;
  if (offered.count === 0) return runInstall(app, document, project, restPlan);
  // Not before the user agrees: npm calls the registry in the project's .npmrc, with whatever that file adds to the URL.
  const { set, missing } = await codegen.chooseSet(
    framework,
    codegen.packageSource(npmIn(folder.fsPath)),
  );
  const { plan } = planOf(set);
  if (missing.length > 0 && !(await installsAnyway(missing, plan))) return;
  await runInstall(app, document, project, plan);
}

/** "Svc: Install x402 Packages": what the payments in the open file need, whatever became of the first offer. */
export async function installPackages(app: App, file?: Uri): Promise<void> {
  if (!app.trusted) throw new NotTrusted();
  const document = file ? await workspace.openTextDocument(file) : routeDocument(app);
  if (document === undefined) return;
  const { source, project, routes } = await readDocument(document);
  const gated = routes.find((route) => route.gated !== undefined);
  if (gated === undefined) {
    void window.showInformationMessage(t('No payment added by Svc was found in this file.'));
    return;
  }
  const needed = packagesInCode(source.text);
  const missing = await missingPackages(document.fileName, needed);
  if (missing.length === 0 && needed.length > 0) {
    void window.showInformationMessage(t('All packages that this file needs are installed.'));
    return;
  }
  await offerInstall(app, document.uri, project, gated.framework);
}

/** Installs until it succeeds or the user gives up, and says each time why it failed. */
async function runInstall(
  app: App,
  document: Uri,
  project: Project,
  plan: InstallPlan,
): Promise<void> {
  for (;;) {
    const { code, output } = await runInTerminal(document, plan);
    app.log.info(`${plan.line}: ended with ${code}`);
    installed.fire();
    if (code === 0) return offerTest();
    if (!(await triesAgain(document, project, output))) return;
  }
}

/** Reports that the packages are installed, and offers the next step. */
async function offerTest(): Promise<void> {
  const test = t('Test Payment');
  const next = await window.showInformationMessage(
    t('The packages are installed. The test panel starts your server and pays it once.'),
    test,
  );
  if (next === test) await commands.executeCommand('svc-x402.testEndpointByUrl');
}

/** Asks before an install that might fail for lack of a package. */
async function installsAnyway(
  missing: ChosenSet['missing'],
  { line }: InstallPlan,
): Promise<boolean> {
  const names = missing.map(({ name, version }) => `${name}@${version}`).join(', ');
  const anyway = t('Install Anyway');
  const choice = await window.showWarningMessage(
    t('Your package source does not serve {0}, so the install may fail: {1}', names, line),
    anyway,
  );
  return choice === anyway;
}

/** Package managers cannot run where the files of a virtual workspace are. */
function tellVirtual(packages: readonly { readonly name: string }[]): void {
  const names = packages.map(({ name }) => name).join(', ');
  void window.showInformationMessage(
    t(
      'The payment needs {0}. This is a virtual workspace, so install them where the code is stored.',
      names,
    ),
  );
}

/**
 * Shows why an install failed, and offers overrides only for versions that they replace.
 * @returns whether to try again
 */
async function triesAgain(document: Uri, project: Project, output: string): Promise<boolean> {
  const { OVERRIDES, withOverrides } = await import('../../codegen/index.ts');
  const { sentence, overridesHelp } = explainInstall(output, Object.keys(OVERRIDES));
  const path = `${project.root}/package.json`;
  const manifest = overridesHelp ? await projectFilesOf(document).read(path) : undefined;
  const changed = manifest === undefined ? undefined : withOverrides(manifest, project.agent);
  const again = t('Try Again');
  const withThem = t('Add Overrides and Try Again');
  const choice = await window.showWarningMessage(
    t('The packages could not be installed. {0}', sentence),
    ...(changed === undefined ? [] : [withThem]),
    again,
  );
  if (choice === withThem && changed !== undefined) {
    await workspace.fs.writeFile(document.with({ path }), Buffer.from(changed, 'utf8'));
  }
  return choice !== undefined;
}

import {
  commands,
  env,
  ShellExecution,
  Task,
  TaskRevealKind,
  TaskScope,
  tasks,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { InstallPlan, Project, Route } from '../../codegen/index.ts';
import { npmIn } from '../packages/index.ts';
import type { App } from './app.ts';
import { projectFilesOf } from './projectFiles.ts';

/**
 * Offers to install what the generated code needs, with the project's own package manager, in a
 * terminal that shows it (spec: Editor extension command, step 7).
 */
export async function offerInstall(
  app: App,
  document: Uri,
  project: Project | undefined,
  framework: Route['framework'],
): Promise<void> {
  if (project === undefined) {
    void window.showInformationMessage(
      'No package.json was found above this file: make one, then install the x402 packages.',
    );
    return;
  }
  const codegen = await import('../../codegen/index.ts');
  const folder = document.with({ path: project.folder });
  if (folder.scheme !== 'file') {
    tellVirtual(
      codegen.neededPackages(framework, (await codegen.chooseSet(framework, assumed)).set),
    );
    return;
  }
  const serves = codegen.packageSource(npmIn(folder.fsPath));
  const { set, missing: unserved } = await codegen.chooseSet(framework, serves);
  const installed = { ...project.manifest.dependencies, ...project.manifest.devDependencies };
  const missing = codegen.neededPackages(framework, set).filter(({ name }) => !(name in installed));
  if (missing.length === 0) return;
  const plan = codegen.installPlan(project, missing);
  const [install, copy] = ['Install', 'Copy Command'];
  const names = unserved.map(({ name, version }) => `${name}@${version}`).join(', ');
  const warning =
    names === '' ? '' : `. Your package source does not serve ${names}: the install may fail.`;
  const choice = await window.showInformationMessage(
    `The payment needs ${missing.length} packages: ${plan.line}${warning}`,
    install,
    copy,
  );
  if (choice === copy) await env.clipboard.writeText(plan.line);
  if (choice !== install) return;
  const code = await runInTerminal(document, plan);
  app.log.info(`${plan.line}: ended with ${code}`);
  if (code === 0) {
    const restart = 'Test Payment';
    const next = await window.showInformationMessage(
      'The packages are installed. Start your server, then test its payment.',
      restart,
    );
    if (next === restart) await commands.executeCommand('svc-x402.testEndpointByUrl');
    return;
  }
  await offerOverrides(app, document, project, plan);
}

/** Nothing can be asked about a source that nobody installs from. */
const assumed = async () => true;

/** Files of a virtual workspace lie where no package manager runs. */
function tellVirtual(packages: readonly { readonly name: string }[]): void {
  const names = packages.map(({ name }) => name).join(', ');
  void window.showInformationMessage(
    `The payment needs ${names}. This is a virtual workspace: install them where the code lies.`,
  );
}

/** Some package sources lack versions that the packages ask for; overrides name others. */
async function offerOverrides(
  app: App,
  document: Uri,
  project: Project,
  plan: InstallPlan,
): Promise<void> {
  const { withOverrides } = await import('../../codegen/index.ts');
  const path = `${project.root}/package.json`;
  const manifest = await projectFilesOf(document).read(path);
  const changed = manifest === undefined ? undefined : withOverrides(manifest, project.agent);
  if (changed === undefined) {
    void window.showWarningMessage('The packages could not be installed: the terminal says why.');
    return;
  }
  const again = 'Add Overrides and Try Again';
  const choice = await window.showWarningMessage(
    'The packages could not be installed: the terminal says why. Where a version is missing, overrides in package.json may help.',
    again,
  );
  if (choice !== again) return;
  await workspace.fs.writeFile(document.with({ path }), Buffer.from(changed, 'utf8'));
  const code = await runInTerminal(document, plan);
  if (code !== 0) app.log.warn(`${plan.line}: ended with ${code}`);
}

/** Runs a command as a task: a terminal shows it, and its end is known. */
async function runInTerminal(document: Uri, plan: InstallPlan): Promise<number | undefined> {
  const cwd = document.with({ path: plan.folder }).fsPath;
  const task = new Task(
    { type: 'svc-x402' },
    workspace.getWorkspaceFolder(document) ?? TaskScope.Workspace,
    'install x402 packages',
    'Svc',
    new ShellExecution(plan.command, [...plan.args], { cwd }),
  );
  task.presentationOptions = { reveal: TaskRevealKind.Always, focus: false };
  const execution = await tasks.executeTask(task);
  return new Promise((resolve) => {
    const listener = tasks.onDidEndTaskProcess(({ execution: ended, exitCode }) => {
      if (ended !== execution) return;
      listener.dispose();
      resolve(exitCode);
    });
  });
}

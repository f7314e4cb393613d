import { commands, env, type Uri, window, workspace } from 'vscode';
import type { InstallPlan, Project, Route } from '../../codegen/index.ts';
import { npmIn } from '../../machine/index.ts';
import { explainInstall } from '../packages/index.ts';
import type { App } from './app.ts';
import { runInTerminal } from './installTerminal.ts';
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
  const { code, output } = await runInTerminal(document, plan);
  app.log.info(`${plan.line}: ended with ${code}`);
  if (code === 0) {
    const test = 'Test Payment';
    const next = await window.showInformationMessage(
      'The packages are installed. The test panel starts your server and pays it once.',
      test,
    );
    if (next === test) await commands.executeCommand('svc-x402.testEndpointByUrl');
    return;
  }
  await tellFailure(document, project, plan, output);
}

/** Used for a virtual workspace: no package source is asked for packages that nobody installs. */
const assumed = async () => true;

/** Files of a virtual workspace are in a place where package managers do not run. */
function tellVirtual(packages: readonly { readonly name: string }[]): void {
  const names = packages.map(({ name }) => name).join(', ');
  void window.showInformationMessage(
    `The payment needs ${names}. This is a virtual workspace: install them where the code lies.`,
  );
}

/** Shows why an install failed; offers overrides only for a version that they replace. */
async function tellFailure(
  document: Uri,
  project: Project,
  plan: InstallPlan,
  output: string,
): Promise<void> {
  const { OVERRIDES, withOverrides } = await import('../../codegen/index.ts');
  const { sentence, overridesHelp } = explainInstall(output, Object.keys(OVERRIDES));
  const path = `${project.root}/package.json`;
  const manifest = overridesHelp ? await projectFilesOf(document).read(path) : undefined;
  const changed = manifest === undefined ? undefined : withOverrides(manifest, project.agent);
  const words = `The packages could not be installed. ${sentence}`;
  if (changed === undefined) {
    void window.showWarningMessage(words);
    return;
  }
  const again = 'Add Overrides and Try Again';
  if ((await window.showWarningMessage(words, again)) !== again) return;
  await workspace.fs.writeFile(document.with({ path }), Buffer.from(changed, 'utf8'));
  const second = await runInTerminal(document, plan);
  if (second.code !== 0) {
    const { sentence: reason } = explainInstall(second.output, []);
    void window.showWarningMessage(`The packages could not be installed. ${reason}`);
  }
}

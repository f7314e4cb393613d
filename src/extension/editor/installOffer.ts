import { commands, type Uri, window, workspace } from 'vscode';
import type { ChosenSet, InstallPlan, PackageSet, Project, Route } from '../../codegen/index.ts';
import { npmIn } from '../../machine/index.ts';
import { explainInstall } from '../packages/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { copy } from './copied.ts';
import { runInTerminal } from './installTerminal.ts';
import { projectFilesOf } from './projectFiles.ts';

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
  const installed = { ...project.manifest.dependencies, ...project.manifest.devDependencies };
  const planOf = (set: PackageSet) => {
    const needed = codegen.neededPackages(framework, set);
    const missing = needed.filter(({ name }) => !(name in installed));
    return { count: missing.length, plan: codegen.installPlan(project, missing) };
  };
  const offered = planOf(newest);
  if (offered.count === 0) return;
  const install = { label: t('$(cloud-download) Install'), detail: offered.plan.line };
  const copyLine = { label: t('$(copy) Copy Command'), detail: t('To install them yourself') };
  const choice = await window.showQuickPick([install, copyLine], {
    title: t('The payment needs {0} packages', offered.count),
    placeHolder: t('Install them in a terminal?'),
    ignoreFocusOut: true,
  });
  if (choice === copyLine) await copy(offered.plan.line, t('install command'));
  if (choice !== install) return;
  // Not before the user agrees: npm calls the registry in the project's .npmrc, with whatever that file adds to the URL.
  const { set, missing } = await codegen.chooseSet(
    framework,
    codegen.packageSource(npmIn(folder.fsPath)),
  );
  const { plan } = planOf(set);
  if (missing.length > 0 && !(await installsAnyway(missing, plan))) return;
  const { code, output } = await runInTerminal(document, plan);
  app.log.info(`${plan.line}: ended with ${code}`);
  if (code === 0) await offerTest();
  else await tellFailure(document, project, plan, output);
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

/** Shows why an install failed, and offers overrides only for versions that they replace. */
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
  const words = t('The packages could not be installed. {0}', sentence);
  if (changed === undefined) {
    void window.showWarningMessage(words);
    return;
  }
  const again = t('Add Overrides and Try Again');
  if ((await window.showWarningMessage(words, again)) !== again) return;
  await workspace.fs.writeFile(document.with({ path }), Buffer.from(changed, 'utf8'));
  const second = await runInTerminal(document, plan);
  if (second.code === 0) {
    await offerTest();
    return;
  }
  const { sentence: reason } = explainInstall(second.output, []);
  void window.showWarningMessage(t('The packages could not be installed. {0}', reason));
}

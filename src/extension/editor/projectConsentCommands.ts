import { commands, type Disposable, type Uri, window } from 'vscode';
import { describeProjectSetting, type ProjectSetting } from '../settings/index.ts';
import { later, t } from '../words/index.ts';
import type { App } from './app.ts';

const SOURCE = later(
  "These addresses come from this workspace's settings, not from you. Payments, requests and generated code will use them.",
);

/** "Svc: Review Workspace Settings": asks about the workspace's addresses, including those already decided. */
export async function reviewWorkspaceSettings(app: App): Promise<void> {
  const settings = app.consent.all();
  if (settings.length > 0) {
    await ask(app, settings);
    return;
  }
  void window.showInformationMessage(
    t("This workspace's settings contain no addresses other than yours."),
  );
}

/**
 * Asks about the addresses in the settings of a file's project before they take effect.
 * @returns whether the user decided; `true` when there is nothing to decide
 */
export async function confirmProjectSettings(app: App, file: Uri): Promise<boolean> {
  const settings = app.consent.open(file);
  return settings.length === 0 || ask(app, settings);
}

async function ask(app: App, settings: readonly ProjectSetting[]): Promise<boolean> {
  const [use, ignore] = [t('Use'), "Don't Use"];
  const choice = await window.showWarningMessage(
    t('Use the addresses set by this workspace?'),
    { modal: true, detail: [t(SOURCE), ...settings.map(describeProjectSetting)].join('\n\n') },
    use,
    ignore,
  );
  if (choice === undefined) return false;
  await app.consent.decide(settings, choice === use ? 'use' : 'ignore');
  return true;
}

/** Reports, once per window and after each change, that the workspace sets addresses that are not used yet. */
export function announceProjectSettings(app: App): Disposable {
  let told = '';

  function look(): void {
    const open = app.trusted ? app.consent.open() : [];
    const key = JSON.stringify(open);
    if (key === told) return;
    told = key;
    if (open.length > 0) void tell(open);
  }

  async function tell(open: readonly ProjectSetting[]): Promise<void> {
    const names = open.map(({ name }) => `svc-x402.${name}`).join(', ');
    const review = t('Review…');
    const choice = await window.showWarningMessage(
      t("This workspace sets {0}. Svc doesn't use that until you confirm it.", names),
      review,
    );
    if (choice === review) await commands.executeCommand('svc-x402.reviewWorkspaceSettings');
  }

  look();
  return app.onChange(look);
}

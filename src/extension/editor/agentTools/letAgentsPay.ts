import { join } from 'node:path';
import { Uri, window } from 'vscode';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';

/**
 * Asks once for the key file and whether to use it.
 * @param allow writes the setting
 */
export async function letAgentsPay(
  app: App,
  allow: (path: string) => Promise<void>,
): Promise<void> {
  const [file] =
    (await window.showOpenDialog({
      title: t('Agent key file written by `svc-x402 agent grant`'),
      openLabel: t('Use Key File'),
      defaultUri: Uri.file(join(app.dataFolder(), 'agents')),
      filters: { 'Key files': ['json'] },
    })) ?? [];
  if (file !== undefined) await confirmKeyFile(file.fsPath, allow);
}

/** Asks whether agents may pay with a key file, and explains what that allows. */
export async function confirmKeyFile(
  path: string,
  allow: (path: string) => Promise<void>,
): Promise<void> {
  const yes = t('Allow');
  const detail = t(
    "They pay in test USDC. The ledger enforces the key's budget, and you are asked before each call.",
  );
  const choice = await window.showWarningMessage(
    t('Let agents in this editor pay with {0}?', path),
    { modal: true, detail },
    yes,
  );
  if (choice === yes) await allow(path);
}

import { join } from 'node:path';
import { Uri, window } from 'vscode';
import type { App } from '../app.ts';

/**
 * Asks once for the key file, and whether to use it.
 * @param allow writes the setting
 */
export async function letAgentsPay(
  app: App,
  allow: (path: string) => Promise<void>,
): Promise<void> {
  const [file] =
    (await window.showOpenDialog({
      title: 'Key file of the agent, as `svc-x402 agent grant` writes it',
      openLabel: 'Use Key File',
      defaultUri: Uri.file(join(app.dataFolder(), 'agents')),
      filters: { 'Key files': ['json'] },
    })) ?? [];
  if (file !== undefined) await confirmKeyFile(file.fsPath, allow);
}

/** Asks whether agents may pay with a key file, and says what that allows. */
export async function confirmKeyFile(
  path: string,
  allow: (path: string) => Promise<void>,
): Promise<void> {
  const yes = 'Allow';
  const detail =
    'They pay in test USDC. The ledger enforces the budget of the key, and you are asked before each call.';
  const choice = await window.showWarningMessage(
    `Let agents in this editor pay with ${path}?`,
    { modal: true, detail },
    yes,
  );
  if (choice === yes) await allow(path);
}

import { commands, type Disposable, env, window } from 'vscode';
import { t } from '../words/index.ts';
import { type App, NotTrusted } from './app.ts';

/** A command by its id without `svc-x402.`. Each one works whether the service is running or not. */
export type CommandTable = Readonly<Record<string, (...args: never[]) => unknown>>;

/** What a failed command returns to the program that ran it. */
interface CommandFailure {
  readonly failed: string;
}

function failure(error: unknown): CommandFailure {
  return { failed: error instanceof Error ? error.message : String(error) };
}

/**
 * Registers commands so that each failure is shown as a message with a next step.
 * @param onUse called before a command runs
 */
export function registerCommands(app: App, table: CommandTable, onUse: () => void): Disposable[] {
  return Object.entries(table).map(([name, run]) =>
    commands.registerCommand(`svc-x402.${name}`, async (...args: never[]) => {
      onUse();
      try {
        return await run(...args);
      } catch (error) {
        await tell(app, error);
        return failure(error);
      }
    }),
  );
}

async function tell(app: App, error: unknown): Promise<void> {
  const { failed: words } = failure(error);
  app.log.error(error instanceof Error ? error : words);
  if (error instanceof NotTrusted) {
    const manage = t('Manage Workspace Trust');
    const choice = await window.showWarningMessage(words, manage);
    if (choice === manage) await commands.executeCommand('workbench.trust.manage');
    return;
  }
  const [log, copy] = [t('Show Log'), t('Copy Message')];
  const choice = await window.showErrorMessage(`Svc: ${words}`, log, copy);
  if (choice === log) app.log.show();
  if (choice === copy) await env.clipboard.writeText(words);
}

import { homedir } from 'node:os';
import { commands, type ExtensionContext, env, window } from 'vscode';
import { dataFolderPath } from '../protocol/index.ts';
import { readServiceStatus } from './serviceStatus.ts';

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(
    commands.registerCommand('svc-x402.showServiceStatus', showServiceStatus),
  );
}

/** Says where the local service listens, and offers to copy an address. */
async function showServiceStatus(): Promise<void> {
  const status = await readServiceStatus(dataFolderPath(process.env, homedir()));
  const choices = status.addresses.map(({ name }) => `Copy ${name}`);
  const choice = await window.showInformationMessage(status.sentence, ...choices);
  const chosen = status.addresses[choices.indexOf(choice ?? '')];
  if (chosen) await env.clipboard.writeText(chosen.url);
}

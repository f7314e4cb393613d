import { window } from 'vscode';
import { MCP_CLIENTS, type McpCommand, writeLauncher } from '../../mcpClient/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { copy } from '../copied.ts';

/**
 * The command with which other programs start the discovery server. They do not ship Electron, and their configuration outlives
 * this version of the extension.
 */
async function externalCommand(
  app: App,
  environment: McpCommand['environment'],
): Promise<McpCommand> {
  const launcher = await writeLauncher(app.context.globalStorageUri.fsPath, app.bundle('mcp'));
  return { command: 'node', args: [launcher], environment };
}

/** Copies the configuration for a program that the user picks. @param environment where the server finds the catalog */
export async function copyConfiguration(
  app: App,
  environment: McpCommand['environment'],
): Promise<void> {
  const choice = await window.showQuickPick(
    MCP_CLIENTS.map((client) => ({ label: client.name, description: t(client.where), client })),
    { title: t('Copy MCP configuration'), placeHolder: t('Which program should use the tools?') },
  );
  if (!choice) return;
  const { name, where, write } = choice.client;
  await copy(
    write(await externalCommand(app, environment)),
    t('MCP configuration for {0} ({1})', name, t(where)),
  );
  app.milestones.mark('agents');
}

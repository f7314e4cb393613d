import * as vscode from 'vscode';
import { type Disposable, EventEmitter, window, workspace } from 'vscode';
import { MCP_CLIENTS, type McpCommand, writeLauncher } from '../mcpClient/index.ts';
import type { App } from './app.ts';
import { copy } from './copied.ts';
import { discoveryEnvironment } from './discovery.ts';

/**
 * The command with which other programs start the discovery server. They bring no Electron with them,
 * and their configuration outlives this version of the extension.
 */
async function externalCommand(app: App): Promise<McpCommand> {
  const launcher = await writeLauncher(app.context.globalStorageUri.fsPath, app.bundle('mcp'));
  return { command: 'node', args: [launcher], environment: discoveryEnvironment(app) };
}

/** "Svc: Copy MCP Configuration…" */
export async function copyMcpConfiguration(app: App): Promise<void> {
  const choice = await window.showQuickPick(
    MCP_CLIENTS.map((client) => ({ label: client.name, description: client.where, client })),
    { title: 'Copy MCP configuration', placeHolder: 'Which program shall use the tools?' },
  );
  if (!choice) return;
  const { name, where, write } = choice.client;
  await copy(write(await externalCommand(app)), `MCP configuration for ${name} (${where})`);
  app.milestones.mark('agents');
}

/** An API of newer editors (from 1.101) that the pinned types do not declare. */
interface McpRegistry {
  registerMcpServerDefinitionProvider?(
    id: string,
    provider: {
      onDidChangeMcpServerDefinitions: (listener: () => void) => Disposable;
      provideMcpServerDefinitions(): Promise<object[]>;
    },
  ): Disposable;
}

type McpDefinition = new (
  label: string,
  command: string,
  args: string[],
  environment: Record<string, string>,
  version: string,
) => object;

/**
 * Offers the discovery server to the editor's own agents, if the editor supports that, and only
 * while the setting is `on`.
 */
export function registerMcpServer(app: App): Disposable | undefined {
  const registry = (Reflect.get(vscode, 'lm') ?? {}) as McpRegistry;
  const Definition = Reflect.get(vscode, 'McpStdioServerDefinition') as McpDefinition | undefined;
  if (typeof registry.registerMcpServerDefinitionProvider !== 'function' || !Definition) {
    return undefined;
  }
  const changes = new EventEmitter<void>();
  const listener = app.onChange(() => changes.fire());
  const registration = registry.registerMcpServerDefinitionProvider('svc-x402.discovery', {
    onDidChangeMcpServerDefinitions: changes.event,
    async provideMcpServerDefinitions() {
      if (app.settings.mcp !== 'on' || !app.trusted) return [];
      const choice = await app.runtime();
      if (!choice.ok) return [];
      const { command, environment } = choice.runtime;
      return [
        new Definition(
          'Svc x402 discovery',
          command,
          [app.bundle('mcp')],
          { ...environment, ...discoveryEnvironment(app) },
          String(app.context.extension.packageJSON.version),
        ),
      ];
    },
  });
  return {
    dispose() {
      registration.dispose();
      listener.dispose();
      changes.dispose();
    },
  };
}

/** "Svc: Let Agents Find Endpoints…": here, or in another program. Nothing is turned on unasked. */
export async function setUpAgents(app: App): Promise<void> {
  const here = {
    label: 'Turn On in This Editor',
    detail: 'Agents here may search the catalog with two read-only tools (MCP).',
  };
  const elsewhere = {
    label: 'Copy a Configuration…',
    detail: 'For another program that uses MCP servers.',
  };
  const off = {
    label: 'Turn Off in This Editor',
    detail: 'Agents here may no longer use the tools.',
  };
  const items = app.settings.mcp === 'on' ? [elsewhere, off] : [here, elsewhere];
  const choice = await window.showQuickPick(items, {
    title: 'Let agents find paid endpoints',
    placeHolder: 'Where may agents search the catalog?',
  });
  if (choice === undefined) return;
  if (choice === elsewhere) return copyMcpConfiguration(app);
  const value = choice === here ? 'on' : 'off';
  await workspace.getConfiguration('svc-x402').update('mcp', value, true);
  if (choice === here) app.milestones.mark('agents');
}

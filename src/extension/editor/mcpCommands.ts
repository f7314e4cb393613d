import * as vscode from 'vscode';
import { type Disposable, EventEmitter, env, window, workspace } from 'vscode';
import { MCP_CLIENTS, type McpCommand } from '../mcpClient/index.ts';
import type { App } from './app.ts';
import { discoveryEnvironment } from './discovery.ts';

/** The command that other programs start the discovery server by. They bring no Electron with them. */
function externalCommand(app: App): McpCommand {
  return { command: 'node', args: [app.bundle('mcp')], environment: discoveryEnvironment(app) };
}

/** "Svc: Copy MCP configuration" */
export async function copyMcpConfiguration(app: App): Promise<void> {
  const choice = await window.showQuickPick(
    MCP_CLIENTS.map((client) => ({ label: client.name, description: client.where, client })),
    { title: 'Copy MCP configuration for', placeHolder: 'Which program shall use the tools?' },
  );
  if (!choice) return;
  await env.clipboard.writeText(choice.client.write(externalCommand(app)));
  void window.showInformationMessage(
    `Copied for ${choice.client.name}: it belongs to ${choice.client.where}.`,
  );
}

/** What newer editors have (from 1.101) and the pinned types do not know. */
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
 * Offers the discovery server to the editor's own agents, where the editor can take it, and only
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

const ASKED = 'mcpAsked';

/** Asks once, after a payment has worked, whether agents here may use the tools. */
export async function askAboutMcp(app: App): Promise<void> {
  if (app.settings.mcp !== 'ask' || app.context.globalState.get<boolean>(ASKED)) return;
  await app.context.globalState.update(ASKED, true);
  const [on, never] = ['Turn On', 'Keep Off'];
  const choice = await window.showInformationMessage(
    'Your endpoint is in the catalog. May agents in this editor search the catalog with the Svc discovery tools (MCP, read-only)?',
    on,
    never,
  );
  if (choice === undefined) return;
  await workspace.getConfiguration('svc-x402').update('mcp', choice === on ? 'on' : 'off', true);
}

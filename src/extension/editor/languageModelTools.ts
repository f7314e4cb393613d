import type { Disposable } from 'vscode';
import * as vscode from 'vscode';
import type { App } from './app.ts';
import { createPayingServer, type Discovery } from './discovery.ts';

/** Whether the editor itself (from 1.95) offers tools to its agents, so that they need no MCP server. */
export function hasLanguageModelTools(): boolean {
  const models = Reflect.get(vscode, 'lm') as { readonly registerTool?: unknown } | undefined;
  return typeof models?.registerTool === 'function';
}

/** Registers the tools with the editor's own agents, if the editor supports that. */
export function registerLanguageModelTools(app: App, discovery: Discovery): Disposable | undefined {
  if (!hasLanguageModelTools()) return undefined;
  const registered = import('./agentTools/index.ts').then(({ registerTools }) =>
    registerTools(app, discovery, (ask) => createPayingServer(app, ask)),
  );
  registered.catch((error: Error) => app.log.error(error));
  return { dispose: () => void registered.then((tools) => tools.dispose()).catch(() => undefined) };
}

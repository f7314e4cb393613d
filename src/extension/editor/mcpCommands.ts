import { window, workspace } from 'vscode';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { discoveryEnvironment } from './discovery.ts';
import { hasLanguageModelTools } from './languageModelTools.ts';

/** "Svc: Copy MCP Configuration…" */
export async function copyMcpConfiguration(app: App): Promise<void> {
  const { copyConfiguration } = await import('./agentTools/index.ts');
  await copyConfiguration(app, discoveryEnvironment(app));
}

/** "Svc: Let Agents Find Endpoints…": in this editor or another program. Nothing is turned on without asking. */
export async function setUpAgents(app: App): Promise<void> {
  const here = {
    label: t('Turn On in This Editor'),
    detail: t('Agents in this editor can search the catalog with two read-only tools.'),
  };
  const elsewhere = {
    label: t('Copy a Configuration…'),
    detail: t('For another program that uses MCP servers.'),
  };
  const off = {
    label: t('Turn Off in This Editor'),
    detail: t('Agents in this editor can no longer use the tools.'),
  };
  const pay = {
    label: t('Let Agents in This Editor Pay…'),
    detail: t('With a key whose budget the ledger enforces. You are asked before each call.'),
  };
  const stop = {
    label: t('Stop Agents in This Editor from Paying'),
    detail: app.settings.agentKeyFile ?? '',
  };
  const paying = app.settings.agentKeyFile === undefined ? pay : stop;
  const both = app.settings.mcp === 'on' ? [elsewhere, off] : [here, elsewhere];
  // Older editors have no tools for agents, so there is nothing to turn on.
  const items = hasLanguageModelTools() ? [...both, paying] : [elsewhere];
  const choice = await window.showQuickPick(items, {
    title: t('Let agents find paid endpoints'),
    placeHolder: t('Where may agents search the catalog?'),
  });
  if (choice === undefined) return;
  if (choice === elsewhere) return copyMcpConfiguration(app);
  if (choice === pay) return (await import('./agentTools/index.ts')).letAgentsPay(app, setKeyFile);
  if (choice === stop) return setKeyFile('');
  const value = choice === here ? 'on' : 'off';
  await workspace.getConfiguration('svc-x402').update('mcp', value, true);
  if (choice === here) app.milestones.mark('agents');
}

/** Lets agents in this editor pay with a key file, if the user agrees. */
export async function allowKeyFile(path: string): Promise<void> {
  await (await import('./agentTools/index.ts')).confirmKeyFile(path, setKeyFile);
}

async function setKeyFile(path: string): Promise<void> {
  await workspace.getConfiguration('svc-x402').update('agentKeyFile', path, true);
}

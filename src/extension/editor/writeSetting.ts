import { ConfigurationTarget, workspace } from 'vscode';
import type { App } from './app.ts';

const SECTION = 'svc-x402';

/** Writes a setting where it is currently set, or else for the user. What the user sets here needs no further confirmation. */
export async function writeSetting(
  { consent }: Pick<App, 'consent'>,
  name: string,
  value: string | boolean,
): Promise<void> {
  const configuration = workspace.getConfiguration(SECTION);
  const set = configuration.inspect(name);
  const inWorkspace = set?.workspaceValue !== undefined && set.workspaceValue !== '';
  const target = inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  if (inWorkspace && typeof value === 'string') await consent.decide([{ name, value }], 'use');
  await configuration.update(name, value, target);
}

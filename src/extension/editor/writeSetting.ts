import { ConfigurationTarget, workspace } from 'vscode';

const SECTION = 'svc-x402';

/** Writes a setting where it is set now, or for the user. */
export async function writeSetting(name: string, value: string | boolean): Promise<void> {
  const configuration = workspace.getConfiguration(SECTION);
  const set = configuration.inspect(name);
  const inWorkspace = set?.workspaceValue !== undefined && set.workspaceValue !== '';
  const target = inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await configuration.update(name, value, target);
}

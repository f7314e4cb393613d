import { spawn } from 'node:child_process';
import { DATA_FOLDER_VARIABLE } from '../../../machine/index.ts';
import { type AgentOnLedger, lastLine, readAgents } from '../../agents/index.ts';
import type { App } from '../app.ts';

/** Maximum length of command output that is kept. */
const KEPT = 1_000_000;

/**
 * Runs `svc-x402` with these arguments on this window's network, which it starts first.
 * @returns what it printed on stdout
 * @throws Error with the last line of its messages
 */
export async function runAgentCommand(app: App, args: readonly string[]): Promise<string> {
  await app.startService();
  const choice = await app.runtime();
  if (!choice.ok) throw new Error(choice.message);
  const { command, environment } = choice.runtime;
  const data = { [DATA_FOLDER_VARIABLE]: app.dataFolder() };
  return new Promise((resolve, reject) => {
    const child = spawn(command, [app.bundle('cli'), ...args], {
      env: { ...process.env, ...environment, ...data },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-KEPT);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      // Unreadable key files are reported beside the readable agents.
      if (code === 0 && errors !== '') app.log.warn(errors.trim());
      if (code === 0) resolve(output);
      else reject(new Error(lastLine(errors)));
    });
  });
}

/** The agents of this window's data folder, with their current state on the ledger. */
export async function listAgents(app: App): Promise<readonly AgentOnLedger[]> {
  return readAgents(await runAgentCommand(app, ['agent', 'list', '--json']));
}

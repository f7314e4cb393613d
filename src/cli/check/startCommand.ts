import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../../codegen/index.ts';
import { findProgram } from '../../machine/index.ts';
import { CliError } from '../cliError.ts';
import type { StartCommand } from './startApp.ts';

/**
 * Returns the command that starts a project: the given one, else its `start` or `dev` script, else running the named file.
 * @throws CliError if none of these exists
 */
export function startCommand(
  { folder, agent }: Project,
  given: string | undefined,
  file: string | undefined,
): StartCommand {
  if (given !== undefined) return { folder, command: given, args: [], shell: true, line: given };
  const script = ['start', 'dev'].find((name) => scriptsOf(folder).includes(name));
  const manager = agent.split('@')[0] ?? 'npm';
  if (script !== undefined) {
    const program = findProgram(manager, folder);
    if (!program) throw new CliError('failed', `${manager} was not found on this machine.`);
    const call = program(['run', script]);
    return { folder, ...call, shell: false, line: `${manager} run ${script}` };
  }
  if (file !== undefined && /\.[cm]?js$/.test(file) && existsSync(file)) {
    // An editor runs this command on its own Node, which is not meant for apps.
    const { command, args } = findProgram('node', folder)?.([file]) ?? {
      command: process.execPath,
      args: [file],
    };
    return { folder, command, args, shell: false, line: `node ${file}` };
  }
  throw new CliError(
    'usage',
    `package.json in ${folder} has no start or dev script. Name a command with --start, such as --start "node app.js", or start the app yourself and add --url.`,
  );
}

function scriptsOf(folder: string): readonly string[] {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly scripts?: Readonly<Record<string, unknown>>;
    };
    return Object.keys(manifest.scripts ?? {});
  } catch {
    return [];
  }
}

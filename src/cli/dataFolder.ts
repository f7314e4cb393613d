import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { dataFolderPath, makeFolder } from '../machine/index.ts';
import { CliError } from './cliError.ts';

/**
 * Opens the data folder, which is created if missing. Nobody else may open it, because it contains keys.
 * @param asked the value of `--data-dir`
 * @throws CliError if it cannot be created or written
 */
export async function openDataFolder(asked: string | undefined): Promise<string> {
  const folder = resolve(asked ?? dataFolderPath(process.env, homedir()));
  try {
    makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new CliError(
      'usage',
      `The data folder ${folder} cannot be used${reason}. Name another with --data-dir.`,
      { cause },
    );
  }
}

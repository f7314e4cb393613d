import { join } from 'node:path';

/** Environment variable that names another data folder than the default one. */
export const DATA_FOLDER_VARIABLE = 'SVC_X402_DATA_DIR';

/**
 * The folder in which a service leaves its discovery file, its keys and its ledger, and where every
 * part of the product looks for them: the variable's value, else `.svc-x402` in the home folder.
 */
export function dataFolderPath(
  environment: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): string {
  return environment[DATA_FOLDER_VARIABLE] || join(homeFolder, '.svc-x402');
}

import { join } from 'node:path';

/** Environment variable that overrides the default data folder. */
export const DATA_FOLDER_VARIABLE = 'SVC_X402_DATA_DIR';

/**
 * Returns the folder where a service stores its discovery file, keys and ledger, and where every part
 * of the product looks for them: the variable's value, or `.svc-x402` in the home folder.
 */
export function dataFolderPath(
  environment: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): string {
  return environment[DATA_FOLDER_VARIABLE] || join(homeFolder, '.svc-x402');
}

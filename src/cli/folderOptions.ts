import type { Command } from 'commander';
import { DATA_FOLDER_VARIABLE } from '../machine/index.ts';
import { parseText } from './optionValues.ts';

/** Adds the options of commands that read or write the data folder of a service and print what they did. */
export function withFolderOptions(command: Command): Command {
  return command
    .option(
      '--data-dir <folder>',
      `data folder of the service (default: ${DATA_FOLDER_VARIABLE}, else ~/.svc-x402)`,
      parseText,
    )
    .option('--json', 'print the result as JSON');
}

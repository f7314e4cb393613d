import type { Command } from 'commander';
import { DATA_FOLDER_VARIABLE } from '../../machine/index.ts';
import type { Service } from '../commandOptions.ts';
import { parseText } from '../optionValues.ts';

const TARGET = 'URL of a resource, an origin (https://host), or the address of a recipient';
const MAX_ENTRIES = 1_000;

const EXAMPLES = `
Examples:
  svc-x402 catalog delist https://api.example.com/quote
  svc-x402 catalog forbid https://api.example.com --reason "names a stranger's service"
  svc-x402 catalog allow https://api.example.com`;

/** The operator's commands for the catalog of a running service. */
export function addCatalogCommands(program: Command, load: () => Promise<Service>): void {
  const catalog = program
    .command('catalog')
    .summary('take entries off the catalog, or keep them out')
    .description('Changes the catalog of the service that runs with the data folder.')
    .addHelpText('after', EXAMPLES);

  changing(catalog.command('delist'))
    .summary('take entries off the list until the next payment for them')
    .description('Takes entries off the list. The next payment for one lists it again.')
    .action(async (target, options) => (await load()).changeCatalog('delist', target, options));
  changing(catalog.command('forbid'))
    .summary('take entries off the list and keep them out')
    .description('Takes entries off the list and keeps them out. Payments settle as before.')
    .action(async (target, options) => (await load()).changeCatalog('forbid', target, options));
  changing(catalog.command('allow'))
    .summary('lift what was forbidden')
    .description('Lifts what was forbidden. Entries come back with their next payment.')
    .action(async (target, options) => (await load()).changeCatalog('allow', target, options));

  reading(catalog.command('rules'))
    .summary('list what is kept out')
    .description('Lists what the operator keeps out of the catalog, the latest first.')
    .action(async (options) => (await load()).listCatalogRules(options));
  reading(catalog.command('journal'))
    .summary('list what the operator did')
    .description(`Lists what the operator did, the latest first, up to ${MAX_ENTRIES} entries.`)
    .action(async (options) => (await load()).listCatalogJournal(options, MAX_ENTRIES));
}

function changing(command: Command): Command {
  return reading(command.argument('<target>', TARGET, parseText)).option(
    '--reason <text>',
    'why, for the journal',
    parseText,
    '',
  );
}

function reading(command: Command): Command {
  return command
    .option(
      '--data-dir <folder>',
      `data folder of the service (default: ${DATA_FOLDER_VARIABLE}, else ~/.svc-x402)`,
      parseText,
    )
    .option('--json', 'print the result as JSON');
}

import type { Command } from 'commander';
import type { Service } from '../commandOptions.ts';
import { withFolderOptions } from '../folderOptions.ts';
import { parseText } from '../optionValues.ts';

const TARGET = 'URL of a resource, an origin (https://host), or the address of a recipient';
const MAX_ENTRIES = 1_000;

const CHANGES = [
  {
    action: 'delist',
    summary: 'remove entries until the next payment for them',
    description: 'Removes entries from the list. The next payment for an entry lists it again.',
  },
  {
    action: 'forbid',
    summary: 'remove entries and keep them out',
    description: 'Removes entries from the list and keeps them out. Payments settle as before.',
  },
  {
    action: 'allow',
    summary: 'remove a rule made by forbid',
    description: 'Removes a rule made by forbid. Entries return with their next payment.',
  },
] as const;

const EXAMPLES = `
Examples:
  svc-x402 catalog delist https://api.example.com/quote
  svc-x402 catalog forbid https://api.example.com --reason "names a stranger's service"
  svc-x402 catalog allow https://api.example.com`;

/** The operator's commands for the catalog of a running service. */
export function addCatalogCommands(program: Command, load: () => Promise<Service>): void {
  const catalog = program
    .command('catalog')
    .summary('remove entries from the catalog, or keep them out')
    .description('Changes the catalog of the running service.')
    .addHelpText('after', EXAMPLES);

  for (const { action, summary, description } of CHANGES) {
    changing(catalog.command(action))
      .summary(summary)
      .description(description)
      .action(async (target, options) => (await load()).changeCatalog(action, target, options));
  }

  withFolderOptions(catalog.command('rules'))
    .summary('list the rules in force')
    .description("Lists the operator's rules, latest first.")
    .action(async (options) => (await load()).listCatalogRules(options));
  withFolderOptions(catalog.command('journal'))
    .summary("list the operator's actions")
    .description(`Lists the operator's actions, latest first, up to ${MAX_ENTRIES} entries.`)
    .action(async (options) => (await load()).listCatalogJournal(options, MAX_ENTRIES));
}

function changing(command: Command): Command {
  return withFolderOptions(command.argument('<target>', TARGET, parseText)).option(
    '--reason <text>',
    'reason to record in the journal',
    parseText,
    '',
  );
}

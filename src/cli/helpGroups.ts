import { type Command, Help } from 'commander';

/** Commands by what somebody wants to do, in the order of `--help`. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['Sell', ['list', 'add', 'check', 'price', 'remove', 'proxy', 'link']],
  ['Pay', ['pay', 'receipt', 'fund']],
  ['Agents', ['agent', 'mcp']],
  ['Network', ['dev', 'ledger', 'trace', 'compare-costs']],
  ['Operate', ['facilitator', 'catalog']],
];

const WIDTH = 16;

/** Lists the commands of `--help` in groups. Called last, because commands that are added later would inherit it. */
export function groupCommands(program: Command): void {
  const left = new Map(program.commands.map((command) => [command.name(), command]));
  const groups = GROUPS.map(([title, names]) => {
    const found = names.flatMap((name) => left.get(name) ?? []);
    for (const name of names) left.delete(name);
    return section(title, found);
  });
  const text = [...groups, section('More', [...left.values()])].filter((part) => part !== '');
  // Only the text leaves the list out: suggestions for a mistyped command read it, too.
  program.configureHelp({
    formatHelp(command, help) {
      help.visibleCommands = () => [];
      return Help.prototype.formatHelp.call(help, command, help);
    },
  });
  program.addHelpText(
    'after',
    `\n${text.join('\n\n')}\n\nRun \`svc-x402 COMMAND --help\` for its options.`,
  );
}

function section(title: string, commands: readonly Command[]): string {
  if (commands.length === 0) return '';
  const rows = commands.map((command) => `  ${command.name().padEnd(WIDTH)}${command.summary()}`);
  return [`${title}:`, ...rows].join('\n');
}

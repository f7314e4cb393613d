import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/program.ts';
import { code, madeFrom, table } from './markdown.ts';

const none = () => Promise.reject(new Error('nothing runs here'));

function withParts(command: Command, path: string): string[] {
  const name = path === '' ? command.name() : `${path} ${command.name()}`;
  const help = command.createHelp();
  const own = command.parent === null ? [] : [section(command, name, help.visibleOptions(command))];
  return [...own, ...command.commands.flatMap((one) => withParts(one, name))];
}

function section(
  command: Command,
  name: string,
  options: ReturnType<ReturnType<Command['createHelp']>['visibleOptions']>,
): string {
  const takes = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const rows = options
    .filter(({ long }) => long !== '--help')
    .map((option) => [
      code(option.flags),
      option.defaultValue === undefined || option.negate ? '' : code(String(option.defaultValue)),
      [
        option.description,
        ...(option.argChoices ? [`one of ${option.argChoices.map(code).join(', ')}`] : []),
      ].join(': '),
    ]);
  return `## \`${[name, ...takes].join(' ')}\`

${command.description()}

${rows.length === 0 ? 'It takes no options.\n' : table(['Option', 'Default', 'Meaning'], rows)}`;
}

/** `docs/command-line.md`: every command with its options, from the program that reads them. */
export function commandLinePage(): string {
  const program = createProgram('', none, none);
  return `# Command line

${madeFrom('the commands (`src/cli/program.ts`)')}
After installation the command is \`svc-x402\` (\`npx svc-x402\`), in a checkout \`node dist/cli.js\` after \`npm run build\`. Each command
has \`--help\`; [environment.md](environment.md) lists the variables that some of them read.

Exit status: 0 for success, 1 for a failure, 2 for a mistake in options or environment. Failures are printed as sentences on stderr.

${withParts(program, '').join('\n')}`;
}

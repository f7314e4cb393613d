import { type Command, Option } from 'commander';
import type { Service } from './commandOptions.ts';
import { withFolderOptions } from './folderOptions.ts';
import { parseCount, parseText } from './optionValues.ts';

const EXAMPLES = `
Examples:
  svc-x402 agent grant --budget 5 --per-payment 0.5
  svc-x402 mcp --pay --key-file ~/.svc-x402/agents/agent.json
  svc-x402 agent revoke agent

The network of \`svc-x402 dev\` must be running. Each agent spends from its own smart account,
whose owner key is in the data folder.`;

/** `svc-x402 agent`: budgets of agents on the embedded network. */
export function addAgentCommands(program: Command, load: () => Promise<Service>): void {
  const agent = program
    .command('agent')
    .summary('give an agent a budget on the embedded network')
    .description('Gives agents keys whose budget the embedded network enforces, and revokes them.')
    .addHelpText('after', EXAMPLES);

  limited(
    withFolderOptions(agent.command('grant')).requiredOption(
      '--budget <usdc>',
      'maximum per window, in USDC',
      parseText,
    ),
  )
    .option('--fund <usdc>', 'test USDC for the smart account (default: ten budgets)', parseText)
    .summary('create a key with a budget')
    .description('Creates a key, the policy that limits it, and a key file that only you can read.')
    .option('--name <name>', 'name of the agent and of its key file', parseText, 'agent')
    .option('--expires <time>', 'lifetime of the key, such as 30d, 12h or 90m', parseText, '30d')
    .option('--show-secret', 'print the secret key')
    .action(async (options) => (await load()).grantAgent(options));
  withFolderOptions(agent.command('list'))
    .summary('list agents and their remaining budgets')
    .description('Lists agents and their current budgets on the ledger.')
    .action(async (options) => (await load()).listAgents(options));
  limited(
    withFolderOptions(agent.command('top-up').argument('<name>', 'name of the agent')).option(
      '--budget <usdc>',
      'maximum per window, in USDC',
      parseText,
    ),
  )
    .option('--fund <usdc>', 'test USDC to add to the smart account (default: none)', parseText)
    .summary('change the budget of an agent')
    .description(
      'Changes the limits and funds of an agent that you set, and nothing else. Past spending still counts.',
    )
    .action(async (name, options) => (await load()).topUpAgent(name, options));
  withFolderOptions(agent.command('rotate').argument('<name>', 'name of the agent'))
    .summary('replace the key of an agent')
    .description(
      'Replaces the key of an agent, on the ledger and in its key file. The budget and the amount spent are kept.',
    )
    .action(async (name, options) => (await load()).rotateAgent(name, options));
  withFolderOptions(agent.command('revoke').argument('<name>', 'name of the agent'))
    .summary('remove the key of an agent')
    .description('Removes the key of an agent from the ledger, its policy, and its key file.')
    .action(async (name, options) => (await load()).revokeAgent(name, options));
}

function limited(command: Command): Command {
  return command
    .addOption(
      new Option('--window <length>', 'the window (default: day)').choices([
        'day',
        'week',
        'month',
      ]),
    )
    .option(
      '--sliding',
      'let the window slide, so that payments in any span of its length stay within the budget',
    )
    .option('--no-sliding', 'start a window with its first payment (default)')
    .addOption(
      new Option(
        '--max-payments <count>',
        'maximum payments per window (default: any number)',
      ).argParser(parseCount),
    )
    .option('--per-payment <usdc>', 'maximum per payment, in USDC', parseText)
    .option('--recipient <address...>', 'recipients that may be paid (default: any)');
}

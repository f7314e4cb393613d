import { type Command, InvalidArgumentError, Option } from 'commander';
import { PAYMENT_PROTOCOLS, type PaymentProtocol } from '../../protocol/index.ts';
import { parseText, parseUrl } from '../optionValues.ts';

const FILE = "route file, with the endpoint's line if the file has several; or a folder";

const START = 'command that starts the app (default: the start or dev script of package.json)';
const ORIGIN = 'origin of the app if it is already running, such as http://localhost:3000';

/** The commands that read and change the user's code. Their implementation is loaded when one runs. */
export function addCodeCommands(program: Command): void {
  program
    .command('list')
    .summary('list the endpoints in your code')
    .description('Lists the endpoints in the code of a folder, and which of them are paid.')
    .argument('[folder]', 'folder or file', '.')
    .addOption(frameworkOption())
    .option('--json', 'print endpoints as JSON Lines')
    .action(async (folder, options) =>
      (await import('./codeChanges.ts')).listRoutes(folder, options),
    );

  selecting(program.command('add'))
    .summary('add a payment to an endpoint of your code')
    .description('Adds an x402 payment to an endpoint of Express, Fastify, Hono or Next.js.')
    .option('--price <usdc>', 'price of one request in USDC, up to 7 decimals', parseText, '0.01')
    .requiredOption(
      '--pay-to <address>',
      'Stellar address to pay (G or C), or new to create an account on the embedded network',
      parseText,
    )
    .option(
      '--facilitator-url <url>',
      'facilitator to use if FACILITATOR_URL is not set (default: the one on this machine)',
      parseUrl,
    )
    .addOption(
      new Option(
        '--protocols <names>',
        'how the endpoint is paid (default: x402); with mpp, the code uses svc-x402/seller',
      )
        .choices(PROTOCOLS)
        .argParser(parseProtocols),
    )
    .option('--all', 'plan payments for every endpoint of the file or folder; --yes writes them')
    .option('--yes', 'with --all: write the payments of the plan')
    .option(
      '--accept <note>',
      'write the change although this note about it changes what is paid (repeatable)',
      collected,
    )
    .option('--install', 'add the packages with the package manager of the project')
    .option('--with-overrides', 'with --install: pin packages that some package sources lack')
    .option('--allow-type-errors', 'add it although TypeScript cannot resolve the packages')
    .option(
      '--origin <url>',
      'also list the endpoint in /.well-known/x402 of the app, under this public origin',
      parseUrl,
    )
    .option('--unchecked', 'do not look up the payment address on the running network')
    .option('--check', 'start your app afterwards and check that nobody can bypass the payment')
    .option('--start <command>', START, parseText)
    .option('--url <origin>', ORIGIN, parseUrl)
    .action(async (file, options) =>
      (await import('./codeChanges.ts')).addPaymentTo(file, options),
    );

  program
    .command('check')
    .summary('check that nobody can bypass a payment')
    .description(
      "Starts your app and requests its paid endpoints in every spelling of their paths, without paying. This runs the project's code.",
    )
    .argument(
      '[target]',
      "folder, file[:line[:column]], URL of an endpoint or a proxy, or a proxy's x402.yaml",
      '.',
    )
    .option('--route <name>', 'the endpoint by name, such as "GET /weather/:city"', parseText)
    .addOption(frameworkOption())
    .option('--start <command>', START, parseText)
    .option('--url <origin>', ORIGIN, parseUrl)
    .option('--method <name>', 'HTTP method, for a URL (default: GET)', parseText)
    .option('--header <line...>', 'send a header with each request, as "Name: value"')
    .option(
      '--with-writes',
      'also send requests to free POST, PUT, PATCH and DELETE endpoints near a paid one',
    )
    .option('--json', 'print results as JSON Lines')
    .addHelpText(
      'after',
      '\nThe exit status is 0 if no request bypassed a payment and no free endpoint asked for one.',
    )
    .action(async (target, options) =>
      (await import('./checkPayments.ts')).checkPayments(target, options),
    );

  selecting(program.command('price'))
    .summary('change the price of a paid endpoint')
    .description('Changes the price of a payment that add wrote, and nothing else.')
    .requiredOption('--price <usdc>', 'new price of one request in USDC', parseText)
    .action(async (file, options) => (await import('./codeChanges.ts')).changePrice(file, options));

  selecting(program.command('remove'))
    .summary('remove a payment from your code')
    .description('Removes a payment that add wrote, and restores the file.')
    .action(async (file, options) =>
      (await import('./codeChanges.ts')).removePaymentFrom(file, options),
    );

  program
    .command('fund')
    .summary('give an account USDC on the embedded network')
    .description('Gives an account XLM and USDC on the embedded network, with a trustline.')
    .argument('<address>', 'Stellar address (G)')
    .option('--usdc <amount>', 'USDC balance of the account afterwards', parseText, '10')
    .option('--json', 'print the result as JSON')
    .action(async (address, options) =>
      (await import('../service.ts')).service.fundAccount(address, options),
    );
}

const PROTOCOLS = ['x402', 'mpp', 'x402,mpp'];

/** @throws InvalidArgumentError */
function parseProtocols(given: string): readonly PaymentProtocol[] {
  if (!PROTOCOLS.includes(given)) {
    throw new InvalidArgumentError(`Allowed choices are ${PROTOCOLS.join(', ')}.`);
  }
  return PAYMENT_PROTOCOLS.filter((protocol) => given.split(',').includes(protocol));
}

function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function selecting(command: Command): Command {
  return command
    .argument('<file[:line[:column]]>', FILE)
    .option('--route <name>', 'the endpoint by name, such as "GET /weather/:city"', parseText)
    .addOption(frameworkOption())
    .option('--dry-run', 'show the change and write nothing')
    .option('--json', 'print results as JSON Lines');
}

function frameworkOption(): Option {
  return new Option(
    '--framework <name>',
    'framework that the routes are registered on, if the code does not show it',
  ).choices(['express', 'fastify', 'hono']);
}

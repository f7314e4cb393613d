import type { Command } from 'commander';
import { parseText, parseUrl } from '../optionValues.ts';

const FILE = 'route file, and the line of the endpoint where there are several';

/** The commands that change code of the user. What they do is loaded when one runs. */
export function addCodeCommands(program: Command): void {
  program
    .command('add')
    .summary('put a payment before an endpoint of your code')
    .description('Puts an x402 payment before an endpoint of Express, Fastify or Next.js.')
    .argument('<file[:line]>', FILE)
    .option('--price <usdc>', 'price of one request in USDC, up to 7 decimals', parseText, '0.01')
    .requiredOption('--pay-to <address>', 'Stellar address that is paid (G or C)', parseText)
    .option(
      '--facilitator-url <url>',
      'facilitator where FACILITATOR_URL is not set (default: the one of this machine)',
      parseUrl,
    )
    .option('--dry-run', 'show the change and write nothing')
    .option('--install', 'add the packages with the package manager of the project')
    .option('--with-overrides', 'with --install: pin what some package sources lack')
    .option('--json', 'the account as JSON, one object a line')
    .action(async (file, options) =>
      (await import('./codeChanges.ts')).addPaymentTo(file, options),
    );

  program
    .command('remove')
    .summary('take away what add put into your code')
    .description('Removes a payment that add put before an endpoint; the file is as it was before.')
    .argument('<file[:line]>', FILE)
    .option('--dry-run', 'show the change and write nothing')
    .option('--json', 'the account as JSON, one object a line')
    .action(async (file, options) =>
      (await import('./codeChanges.ts')).removePaymentFrom(file, options),
    );
}

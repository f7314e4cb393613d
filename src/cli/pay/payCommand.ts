import type { Command } from 'commander';
import type { Service } from '../commandOptions.ts';
import { parseText, parseUrl } from '../optionValues.ts';

const ENVIRONMENT = `
Environment:
  PAYER_SECRET      secret of the account that pays (S…); without it a new account of the embedded
                    network pays, which has as much as the payment may cost
  STELLAR_RPC_URL   Stellar RPC of the network (default: that of the service on this machine)

The answer is on stdout, what was paid on stderr; with --json both are one object on stdout.
The exit status is 0 for an answer below 400.

Example:
  svc-x402 pay http://localhost:3000/weather --max 0.01`;

/** `svc-x402 pay`: requests a resource and pays its price. */
export function addPayCommand(program: Command, load: () => Promise<Service>): void {
  program
    .command('pay')
    .summary('pay an endpoint and print its answer')
    .description('Asks for a resource, pays for it in USDC on testnet, and prints its answer.')
    .argument('<url>', 'URL of the resource', parseUrl)
    .option('--method <name>', 'HTTP method (default: GET, with a body POST)', parseText)
    .option('--body <text>', 'body of the request; JSON is sent as JSON', parseText)
    .option('--max <usdc>', 'most that is paid, in USDC', parseText, '0.1')
    .option('--json', 'print answer and payment as JSON')
    .addHelpText('after', ENVIRONMENT)
    .action(async (url, options) => (await load()).payFor(url, options));
}

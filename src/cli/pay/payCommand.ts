import type { Command } from 'commander';
import type { Service } from '../commandOptions.ts';
import { parseText, parseUrl } from '../optionValues.ts';

const ENVIRONMENT = `
Environment:
  PAYER_SECRET      secret of the account that pays (S…); without it, a new account on the embedded
                    network pays, funded with the maximum of the payment
  STELLAR_RPC_URL   Stellar RPC of the network (default: the service's on this machine)

The payment is printed on stderr as soon as it is known, and then the response on stdout: at most 1 MiB on a
terminal, with its control characters escaped, and 1 GiB elsewhere. With --json, both are one object on stdout.
The exit status is 0 for a whole response whose status is below 400.

Example:
  svc-x402 pay http://localhost:3000/weather --max 0.01`;

/** `svc-x402 pay`: requests a resource and pays its price. */
export function addPayCommand(program: Command, load: () => Promise<Service>): void {
  program
    .command('pay')
    .summary('pay an endpoint and print its response')
    .description('Requests a resource, pays for it in USDC on testnet, and prints the response.')
    .argument('<url>', 'URL of the resource', parseUrl)
    .option('--method <name>', 'HTTP method (default: GET, or POST with a body)', parseText)
    .option('--body <text>', 'body of the request; JSON is sent as JSON', parseText)
    .option('--max <usdc>', 'maximum amount to pay, in USDC', parseText, '0.1')
    .option('-o, --output <file>', 'write the body of the response to a file', parseText)
    .option('--json', 'print response and payment as JSON')
    .addHelpText('after', ENVIRONMENT)
    .action(async (url, options) => (await load()).payFor(url, options));
}

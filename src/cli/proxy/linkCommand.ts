import type { Command } from 'commander';
import type { Service } from '../commandOptions.ts';
import {
  DEFAULT_PROXY_PORT,
  parseAddress,
  parsePort,
  parseText,
  parseUrl,
} from '../optionValues.ts';
import { withRunOptions } from './proxyCommand.ts';

const EXAMPLES = `
A browser gets a page on which a person pays; programs get the terms as JSON. Of a folder, each file is
sold by itself; the list of files is free. Names that begin with a dot, and links that lead out of the
folder, are not served.

Examples:
  svc-x402 link report.pdf --price 0.05
  svc-x402 link ./photos --price 0.01 --title 'Photos of Lima'
  svc-x402 link 'The password is tangerine.' --price 1
  svc-x402 link https://example.com/data.json --price 0.02 --public-url https://shop.example.com`;

/** `svc-x402 link`: a paid link to a file, a folder, a text or a URL. */
export function addLinkCommand(program: Command, load: () => Promise<Service>): void {
  withRunOptions(
    program
      .command('link')
      .summary('sell a file, a folder, a text or a URL by a link, without code')
      .description(
        'Serves a file, a folder, a text or what is at a URL to everybody who pays its price, until Ctrl-C.',
      )
      .argument('<what>', 'a file, a folder, some words, or a URL', parseText)
      .requiredOption('--price <usdc>', 'price of each request', parseText)
      .option(
        '--pay-to <address>',
        'Stellar address that is paid (G… or C…), or new',
        parseText,
        'new',
      )
      .option('--title <words>', 'what buyers read that they get (default: its name)', parseText)
      .option('--text', 'sell the words themselves, even if they look like the name of a file')
      .option('--facilitator <url>', "x402 facilitator (default: the local service's)", parseUrl)
      .option('--public-url <url>', 'origin under which buyers reach the link', parseUrl)
      .option(
        '--port <port>',
        `where to listen (default: ${DEFAULT_PROXY_PORT}, or a free port)`,
        parsePort,
      )
      .option('--host <address>', 'IP address to listen on', parseAddress, '127.0.0.1'),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (what, options) => (await load()).runLink(what, options));
}

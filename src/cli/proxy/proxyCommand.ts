import { type Command, Option } from 'commander';
import { DATA_FOLDER_VARIABLE } from '../../machine/index.ts';
import type { Service } from '../commandOptions.ts';
import { LOG_LEVELS } from '../logLevel.ts';
import {
  DEFAULT_PROXY_PORT,
  parseAddress,
  parsePort,
  parseText,
  parseUrl,
} from '../optionValues.ts';

const ENVIRONMENT = `
The money is taken once the response is there and before it is sent. A response that turns out to be a
stream is paid once its headers are there, before its first byte is sent. With --settle before, the money
is taken before the API works.

Environment:
  PROXY_SECRET     key with which the headers about a payment are signed for the API, and of which
                   that of MPP's challenges is made (default: made once, in the data folder).
                   Proxies that share a database need the same one
  PROXY_RECEIPT_KEY  with --receipts: secret of the key that signs offers and receipts, 64 hexadecimal
                   characters (default: made once, in the data folder)
  DATABASE_URL     PostgreSQL that several proxies share (default: a file in the data folder)
  FACILITATOR_URL  x402 facilitator (default: the local service's; without one, it is started)

Examples:
  svc-x402 proxy http://127.0.0.1:3000 --price 0.01 --pay-to new
  svc-x402 proxy http://127.0.0.1:3000 --openapi openapi.yaml --price 0.01 --pay-to new
  svc-x402 proxy --config x402.yaml
  svc-x402 proxy --mcp-http http://127.0.0.1:9000/mcp --price 0.01 --pay-to new
  svc-x402 proxy --mcp 'python server.py' --tool search=0.01 --pay-to new`;

/** Adds the last options of the commands that run a proxy: the same for an API and for a link. */
export function withRunOptions(command: Command): Command {
  return command
    .option(
      '--unchecked',
      'do not check whether the address can be paid on the network that runs here',
    )
    .option(
      '--data-dir <folder>',
      `folder for sales, keys and service.json (default: ${DATA_FOLDER_VARIABLE}, else ~/.svc-x402)`,
      parseText,
    )
    .option('--json', 'print logs and results as JSON Lines')
    .addOption(
      new Option('--log-level <level>', 'logs on stderr from this level').choices(LOG_LEVELS),
    );
}

/** `svc-x402 proxy`: sells an HTTP API in any language, or an MCP server. */
export function addProxyCommand(program: Command, load: () => Promise<Service>): void {
  withRunOptions(
    program
      .command('proxy')
      .summary('sell an HTTP API or an MCP server, without touching its code')
      .description(
        'Forwards requests to an API, or calls of tools to an MCP server, once they are paid for in USDC on testnet.',
      )
      .argument('[upstream]', 'URL of the API', parseUrl)
      .option('--mcp-http <url>', 'sell tools of an MCP server at this URL instead', parseUrl)
      .option('--mcp <command>', 'sell tools of an MCP server that this command runs', parseText)
      .addOption(
        new Option(
          '--tool <name=price>',
          'a tool and its price in USDC, or free; repeatable',
        ).argParser((text: string, before: readonly string[] = []) => [...before, parseText(text)]),
      )
      .option('--price <usdc>', 'price of every request, or of every tool not named', parseText)
      .option('--pay-to <address>', 'Stellar address that is paid (G… or C…), or new', parseText)
      .option(
        '--openapi <file>',
        'file or URL of an OpenAPI document whose operations are sold; other paths are closed',
        parseText,
      )
      .option(
        '--config <file>',
        'routes and prices, as YAML; read again when it changes',
        parseText,
      )
      .option('--facilitator <url>', "x402 facilitator (default: the local service's)", parseUrl)
      .option('--public-url <url>', 'origin under which buyers reach the proxy', parseUrl)
      .option(
        '--port <port>',
        `where to listen (default: ${DEFAULT_PROXY_PORT}, or a free port)`,
        parsePort,
      )
      .option('--host <address>', 'IP address to listen on', parseAddress, '127.0.0.1')
      .addOption(
        new Option('--settle <when>', 'when the money is taken')
          .choices(['after', 'before'])
          .default('after'),
      )
      .addOption(
        new Option('--protocols <names>', 'how requests are paid (default: x402,mpp)').choices([
          'x402',
          'mpp',
          'x402,mpp',
        ]),
      )
      .option('--no-page', 'answer browsers with JSON, instead of a page on which a person can pay')
      .option(
        '--receipts',
        'sign offers and receipts of x402 with a key of their own; needs --public-url',
      ),
  )
    .addHelpText('after', ENVIRONMENT)
    .action(async (upstream, options) => (await load()).runProxy({ ...options, upstream }));
}

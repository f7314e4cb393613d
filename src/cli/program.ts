import { Command, Option } from 'commander';
import { DATA_FOLDER_VARIABLE } from '../machine/index.ts';
import type { Purse } from '../mcp/pay/purse.ts';
import { DEFAULT_FACILITATOR_PORT } from '../protocol/index.ts';
import { addAgentCommands } from './agentCommands.ts';
import { addCatalogCommands } from './catalog/catalogCommands.ts';
import { CliError } from './cliError.ts';
import { addCodeCommands } from './code/codeCommands.ts';
import type { Service } from './commandOptions.ts';
import { LOG_LEVELS } from './logLevel.ts';
import {
  parseClose,
  parseLedger,
  parsePercent,
  parsePort,
  parseProtocol,
  parseText,
  parseUrl,
} from './optionValues.ts';
import { addPayCommand } from './pay/payCommand.ts';

/** Port of the embedded network, as in Stellar Quickstart. */
export const DEFAULT_LEDGER_PORT = 8000;

const FACILITATOR_ENVIRONMENT = `
Environment:
  STELLAR_RPC_URL           Stellar RPC of the network (required)
  SPONSOR_SECRET            secret of the account that pays fees (required)
  CHANNEL_SEED              text from which the 50 channel accounts derive, or
  CHANNEL_SECRETS           their 50 secrets, separated by spaces
  HORIZON_URL               Horizon of the network
  MAX_TX_FEE_STROOPS        ceiling of a settlement's fee bid (500000)
  UPTO_CONTRACT_ID          settlement contract of the scheme upto; without it only exact is served
  INCLUSION_FEE_STROOPS     least bid for inclusion per operation (100)
  SPONSOR_FLOOR_XLM         balance under which nothing is settled (10)
  EXPIRY_TOLERANCE_LEDGERS  ledgers an authorization may last longer than asked (6)
  PAYER_IN_FLIGHT           settlements of one payer and asset at once (25)
  SPEND_LIMITS_REFUSE       true makes the spend limits refuse, instead of only logging (false)
  SPEND_PAYTO_PER_MINUTE    settlements a minute for one recipient (30)
  SPEND_URL_PER_MINUTE      settlements a minute for one resource (30)
  SPEND_FEES_PER_DAY_STROOPS           fees a day (1000000000)
  SPEND_UNBOUND_FEES_PER_DAY_STROOPS   fees a day for recipients not in the catalog (100000000)
  CHANNEL_WAIT_MS           wait for a free channel, and for the payer's other settlements (10000)
  CONFIRMATION_MS           wait for the ledger to decide (20000)
  ANSWER_WITHIN_MS          by when /settle has answered, whatever the ledger does (25000)
  RATE_LIMIT_PER_MINUTE     requests a minute and client address; 0 sets no limit (60)
  TRUSTED_PROXY_HOPS        proxies in front that write X-Forwarded-For (0)
  ALLOWED_ORIGINS           origins whose pages may write, beside those on localhost (none)
  DATABASE_URL              PostgreSQL that several instances share (a file of its own)
  INSTANCE_TTL_MS           how long one of them counts as alive after a sign of life (10000)
  EMBEDDINGS_URL            server of embeddings for the search, with EMBEDDINGS_MODEL
  EMBEDDINGS_API_KEY        and, if it asks for one, its key (made in the service)
  EMBEDDINGS_DIMENSIONS     of a model with fewer than 1,024; EMBEDDINGS_QUERY_PREFIX and
                            EMBEDDINGS_TEXT_PREFIX, EMBEDDINGS_WAIT_MS, EMBEDDINGS_FLOOR: docs/search.md
  HOST, PORT, BUSY_PORT     where to listen, and whether to refuse or move when the port is busy`;

const RESTART = 'end with status 70 after an unhandled error, instead of restarting';

const MCP_ENVIRONMENT = `
Environment:
  FACILITATOR_URL    the facilitator whose catalog is read
                     (default: the local service, by service.json in the data folder)
  ${DATA_FOLDER_VARIABLE}  the data folder of the local service
With --pay, unless --key-file is given:
  PAYER_SECRET       secret of the key that pays (S…), or
  PAYER_SECRET_FILE  a file that holds it and only you can read
  PAYER_WALLET       the smart account (C…) that the key has its budget on
  STELLAR_RPC_URL    Stellar RPC of the network (default: that of the local service)`;

/** What `mcp` does. It is separate: agents wait for it, and it needs nothing of the service. */
export type RunMcp = (version: string, purse?: Purse) => Promise<void>;

/**
 * The commands and options of `svc-x402`.
 * @param load gives what the commands do; called when one runs
 * @param loadMcp the same for `mcp`
 */
export function createProgram(
  version: string,
  load: () => Promise<Service>,
  loadMcp: () => Promise<RunMcp>,
): Command {
  const program = new Command('svc-x402')
    .description('A Stellar network and an x402 facilitator on one machine, offline.')
    .version(version)
    .showHelpAfterError('Run it with --help to see the options.')
    // What follows a subcommand's name is the subcommand's.
    .enablePositionalOptions()
    .exitOverride();

  withNetwork(withCommon(program.command('dev')))
    .summary('network and facilitator in one process, and one demo payment')
    .description(
      'Starts the embedded network and the facilitator, makes one demo payment, and serves until Ctrl-C.',
    )
    .option('--ledger-port <port>', 'port of the network', parsePort, DEFAULT_LEDGER_PORT)
    .option(
      '--facilitator-port <port>',
      `port of the facilitator (default: PORT, else ${DEFAULT_FACILITATOR_PORT})`,
      parsePort,
    )
    .option('--no-demo', 'make no payment')
    .option('--no-restart', RESTART)
    .option('--exit', 'stop after the payment; the exit status shows whether it was made')
    .addHelpText('after', '\nIf a port is in use, a free one is chosen and printed.')
    .action(async (options) => (await load()).runDev(options));

  withNetwork(withCommon(program.command('ledger')))
    .summary('the embedded network alone')
    .description('Starts the embedded Stellar network: RPC, Horizon and friendbot on one port.')
    .option('--port <port>', 'port of the network', parsePort, DEFAULT_LEDGER_PORT)
    .option('--passphrase <text>', 'network passphrase (default: that of testnet)', parseText)
    .option(
      '--fork-url, --fork <rpc-url>',
      'continue from another network: read what is not here from its RPC, write here; kept in memory',
      parseUrl,
    )
    .option('--at <ledger>', 'the ledger to fork from (default: the latest)', parseLedger)
    .option('--state <file>', 'load the state at the start, if saved, and save it at the end')
    .option('--load-state <file>', 'start with a saved state, in memory')
    .option('--dump-state <file>', 'save the state at the end')
    .addHelpText('after', '\nIf a port is in use, a free one is chosen and printed.')
    .action(async (options) => (await load()).runLedger(options));

  const facilitator = withCommon(program.command('facilitator'))
    .summary('the facilitator alone, for the network that the environment names')
    .description('Starts the x402 facilitator for the network that the environment names.')
    .option(
      '--port <port>',
      `where to listen (default: PORT, else ${DEFAULT_FACILITATOR_PORT})`,
      parsePort,
    )
    .option('--no-restart', RESTART)
    .addHelpText('after', FACILITATOR_ENVIRONMENT)
    .action(async (options) => (await load()).runFacilitator(options));

  withCommon(facilitator.command('create-channels'))
    .summary('create the 50 channel accounts on a network')
    .description(
      'Creates those of the 50 channel accounts that the network does not have yet, paid by the sponsor.',
    )
    .addHelpText(
      'after',
      '\nEnvironment: STELLAR_RPC_URL, SPONSOR_SECRET, and CHANNEL_SEED or CHANNEL_SECRETS.',
    )
    .action(async (options) => (await load()).runCreateChannels(options));

  program
    .command('mcp')
    .summary('the discovery tools for agents, over stdio')
    .description(
      'Serves the tools x402_list_resources and x402_search_resources by MCP on stdin and stdout.',
    )
    .option('--pay', 'add the tools x402_call, x402_budget and x402_receipts, which pay')
    .option('--ask-above <usdc>', 'ask a person before larger payments (default: 0.1)', parseText)
    .option('--ceiling <usdc>', 'most in 24 hours (default: 1 with --allow-unlimited)', parseText)
    .option('--key-file <file>', 'key file that `svc-x402 agent grant` wrote', parseText)
    .option('--allow-unlimited', 'pay with a key that nothing on the ledger limits')
    .addHelpText('after', MCP_ENVIRONMENT)
    .action(async ({ pay, ...options }) => {
      if (!pay && Object.keys(options).length > 0)
        throw new CliError('usage', 'Options of payments need --pay.');
      const purse = pay ? await (await load()).openPurse(options) : undefined;
      await (await loadMcp())(version, purse);
    });

  program
    .command('trace')
    .summary('explain a transaction of the embedded network')
    .description(
      'Prints what a transaction did and why it failed: its calls, authorization, storage and fee.',
    )
    .argument('<hash>', 'hash of the transaction')
    .option('--rpc-url <url>', 'RPC of the network (default: that of the local service)', parseUrl)
    .option('--json', 'print the trace as JSON')
    .option('--flame-graph <file>', 'write a flame graph of CPU instructions as SVG', parseText)
    .action(async (hash, options) => (await load()).runTrace(hash, options));

  program
    .command('compare-costs')
    .summary('compare two cost reports')
    .description(
      'Compares two files that --cost-report wrote, and ends with status 1 when a function consumes more than before.',
    )
    .argument('<before>', 'the earlier report')
    .argument('<after>', 'the later report')
    .option('--threshold <percent>', 'percent by which a mean may rise (default: 5)', parsePercent)
    .option('--json', 'print the comparison as JSON')
    .action(async (before, after, options) => (await load()).compareCosts(before, after, options));

  addCatalogCommands(program, load);
  addPayCommand(program, load);
  addAgentCommands(program, load);
  addCodeCommands(program);

  return program;
}

function withCommon(command: Command): Command {
  return command
    .option(
      '--data-dir <folder>',
      `folder for keys, ledger and service.json (default: ${DATA_FOLDER_VARIABLE}, else ~/.svc-x402)`,
      parseText,
    )
    .option('--json', 'print logs and results as JSON Lines')
    .addOption(
      new Option('--log-level <level>', 'logs on stderr from this level').choices(LOG_LEVELS),
    );
}

function withNetwork(command: Command): Command {
  return command
    .option(
      '--close <when>',
      'close a ledger on demand, or at an interval such as 5s (default: demand)',
      parseClose,
    )
    .option('--seed <text>', 'seed of the keys of the accounts of genesis', parseText)
    .option(
      '--protocol <version>',
      'protocol of the network, 27 or 28: a later one upgrades the data folder (default: what it runs, else 28)',
      parseProtocol,
    )
    .option(
      '--limits <which>',
      "limits, fees and lifetimes: testnet, unlimited, or a file of stellar-core's settings (default: what the network has, else testnet)",
      parseText,
    )
    .option('--accounts <n>', 'create and print n funded accounts; their keys derive from the seed')
    .option('--balance <xlm>', 'XLM of each of them (default: 10000)')
    .option('--auto-impersonate', 'take transactions of every account without its signatures')
    .addOption(
      new Option(
        '--time-bounds <by>',
        "compare time bounds with the network's time, or with the clock (default: network)",
      ).choices(['network', 'clock']),
    )
    .addOption(
      new Option('--trace [of]', 'print what contracts did and why calls failed')
        .choices(['failed', 'all'])
        .preset('failed'),
    )
    .option(
      '--cost-report <file>',
      'write at the end what the calls of contracts consumed, as JSON',
      parseText,
    )
    .option('--in-memory', 'keep the ledger in memory; it is lost when the process ends');
}

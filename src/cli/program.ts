import { Command, Option } from 'commander';
import { DATA_FOLDER_VARIABLE } from '../machine/index.ts';
import type { Purse } from '../mcp/pay/purse.ts';
import { DEFAULT_FACILITATOR_PORT } from '../protocol/index.ts';
import { addAgentCommands } from './agentCommands.ts';
import { addCatalogCommands } from './catalog/catalogCommands.ts';
import { CliError } from './cliError.ts';
import { addCodeCommands } from './code/codeCommands.ts';
import type { Service } from './commandOptions.ts';
import { withFolderOptions } from './folderOptions.ts';
import { groupCommands } from './helpGroups.ts';
import { LOG_LEVELS } from './logLevel.ts';
import {
  DEFAULT_LEDGER_PORT,
  parseAddress,
  parseClose,
  parseLedger,
  parsePercent,
  parsePort,
  parseProtocol,
  parseSeconds,
  parseText,
  parseUrl,
} from './optionValues.ts';
import { addPayCommand } from './pay/payCommand.ts';
import { addLinkCommand } from './proxy/linkCommand.ts';
import { addProxyCommand } from './proxy/proxyCommand.ts';
import { addReceiptCommands } from './receipts/receiptCommands.ts';

const FACILITATOR_ENVIRONMENT = `
Environment:
  STELLAR_RPC_URL           Stellar RPC of the network (required); several are separated by commas
  RPC_CALLS_PER_SECOND      calls to each of them; 0: as many as it accepts (0)
  REFUND_AFTER_RESET        false: friendbot does not fund the accounts after a reset of testnet (true)
  SPONSOR_SECRET            secret of the account that pays fees (required)
  CHANNEL_SEED              string from which the 50 channel accounts derive, or
  CHANNEL_SECRETS           their 50 secrets, separated by spaces
  HORIZON_URL               Horizon of the network
  MAX_TX_FEE_STROOPS        ceiling of a settlement's fee bid (500000)
  UPTO_CONTRACT_ID          settlement contract of scheme upto; without it, only exact is served
  INCLUSION_FEE_STROOPS     minimum inclusion bid per operation (100)
  SPONSOR_FLOOR_XLM         balance below which nothing is settled (10)
  EXPIRY_TOLERANCE_LEDGERS  ledgers by which an authorization may exceed its time limit (6)
  PAYER_IN_FLIGHT           simultaneous settlements of one payer in one asset (25)
  SPEND_LIMITS_REFUSE       true: enforce the spend limits instead of only logging (false)
  SPEND_PAYTO_PER_MINUTE    settlements per minute for one recipient (30)
  SPEND_URL_PER_MINUTE      settlements per minute for one resource (30)
  SPEND_CLIENT_FEES_PER_MINUTE_STROOPS fees per minute for one caller's address (10000000)
  SPEND_FEES_PER_DAY_STROOPS           fees per day (1000000000)
  SPEND_UNBOUND_FEES_PER_DAY_STROOPS   fees per day for recipients not in the catalog (100000000)
  CHANNEL_WAIT_MS           wait for a free channel, and for the payer's other settlements (10000)
  CONFIRMATION_MS           wait for the ledger to decide (20000)
  ANSWER_WITHIN_MS          time within which /settle answers, whatever the ledger does (25000)
  RATE_LIMIT_PER_MINUTE     requests per minute for each client address; 0: no limit (60)
  TRUSTED_PROXY_HOPS        trusted proxies in front that write X-Forwarded-For (0)
  ALLOWED_ORIGINS           origins whose pages may write, besides those on localhost (none)
  DATABASE_URL              PostgreSQL that several instances share (default: its own file)
  INSTANCE_TTL_MS           how long an instance counts as alive after a heartbeat (10000)
  EMBEDDINGS_URL            embedding server for the search, together with EMBEDDINGS_MODEL
  EMBEDDINGS_API_KEY        and its key, if it needs one (default: embeddings made in the service)
  EMBEDDINGS_DIMENSIONS     dimensions of a model with fewer than 1,024; EMBEDDINGS_QUERY_PREFIX,
                            EMBEDDINGS_TEXT_PREFIX, EMBEDDINGS_WAIT_MS, EMBEDDINGS_FLOOR: docs/search.md
  TRUSTED_PROXIES           addresses and networks of the nearest proxy (default: any)
  API_KEYS_FILE, API_KEYS   callers that may settle, with their limits; a file or the text (default: everyone)
  OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME  collector of OpenTelemetry traces (default: none)
  OPERATOR_PORT             own port of /metrics and the operator's routes (default: none; this machine only)
  OPERATOR_HOST             where that port listens (127.0.0.1)
  HOST, PORT, BUSY_PORT     where to listen, and whether to refuse or move if the port is in use`;

const RESTART = 'end with status 70 after an unhandled error, instead of restarting';

const MCP_ENVIRONMENT = `
Environment:
  FACILITATOR_URL    the facilitator whose catalog is read
                     (default: the local service, by service.json in the data folder)
  ${DATA_FOLDER_VARIABLE}  the data folder of the local service
With --pay, unless --key-file is given:
  PAYER_SECRET       secret of the key that pays (S…), or
  PAYER_SECRET_FILE  a file with that secret that only you can read
  PAYER_WALLET       the smart account (C…) on which the key has its budget
  STELLAR_RPC_URL    Stellar RPC of the network (default: the local service's)`;

/** The implementation of `mcp`. It is separate because agents wait for it and it does not need the service's code. */
export type RunMcp = (version: string, purse?: Purse) => Promise<void>;

/**
 * The commands and options of `svc-x402`.
 * @param load returns the commands' implementations; called when one runs
 * @param loadMcp returns the implementation of `mcp`
 */
export function createProgram(
  version: string,
  load: () => Promise<Service>,
  loadMcp: () => Promise<RunMcp>,
): Command {
  const program = new Command('svc-x402')
    .description(
      'Get paid for the endpoints of your code, and pay others: x402 in USDC on Stellar testnet, or offline on a network on this machine.',
    )
    .version(version)
    .showHelpAfterError('Run it with --help to see the options.')
    // Arguments after a subcommand's name belong to the subcommand.
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
    .addOption(
      new Option('--port <port>', 'the facilitator is what apps and buyers ask')
        .hideHelp()
        .argParser(twoPorts),
    )
    .option('--no-demo', 'skip the demo payment')
    .option('--no-restart', RESTART)
    .option('--exit', 'stop after the payment; the exit status shows whether it was made')
    .addHelpText('after', '\nIf a port is in use, a free one is chosen and printed.')
    .action(async (options) => (await load()).runDev(options));

  withNetwork(withCommon(program.command('ledger')))
    .summary('only the embedded network')
    .description('Starts the embedded Stellar network: RPC, Horizon and friendbot on one port.')
    .option('--port <port>', 'port of the network', parsePort, DEFAULT_LEDGER_PORT)
    .option(
      '--host <address>',
      'also listen on this IP address, or 0.0.0.0 for all: everybody who can reach it controls the network (default: only this machine)',
      parseAddress,
    )
    .option('--passphrase <text>', "network passphrase (default: testnet's)", parseText)
    .option(
      '--fork-url, --fork <rpc-url>',
      'fork another network: read missing entries from its RPC, write only here; kept in memory',
      parseUrl,
    )
    .option('--at <ledger>', 'the ledger to fork from (default: the latest)', parseLedger)
    .option(
      '--state <file>',
      'load the state at the start, if saved, and save it at intervals and at the end',
    )
    .option('--load-state <file>', 'start with a saved state, in memory')
    .option('--dump-state <file>', 'save the state at intervals and at the end')
    .option('--state-interval <seconds>', 'seconds between saves (default: 10)', parseSeconds)
    .addHelpText('after', '\nIf a port is in use, a free one is chosen and printed.')
    .action(async (options) => (await load()).runLedger(options));

  const facilitator = withCommon(program.command('facilitator'))
    .summary('only the facilitator, for the network named in the environment')
    .description('Starts the x402 facilitator for the network named in the environment.')
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
    .description("Creates the missing ones of the 50 channel accounts at the sponsor's expense.")
    .addHelpText(
      'after',
      '\nEnvironment: STELLAR_RPC_URL, SPONSOR_SECRET, and CHANNEL_SEED or CHANNEL_SECRETS.',
    )
    .action(async (options) => (await load()).runCreateChannels(options));

  withFolderOptions(facilitator.command('status'))
    .summary('show what a running facilitator holds and depends on')
    .description(
      'Prints open settlements, channels, sponsor, RPC server and lease of the running facilitator. Exits with status 1 if it refuses payments.',
    )
    .action(async (options) => (await load()).showStatus(options));
  withFolderOptions(facilitator.command('drain'))
    .summary('let proxies send payments elsewhere, and wait until nothing is in flight')
    .description(
      'Makes /ready 503, so that proxies send payments to other instances, and waits until nothing arrives or is in flight any more. The instance answers meanwhile.',
    )
    .option('--resume', 'accept payments again')
    .option('--timeout <seconds>', 'longest time to wait (default: 60)', parseSeconds)
    .action(async (options) => (await load()).drain(options));

  program
    .command('mcp')
    .summary('the discovery tools for agents, over stdio')
    .description(
      'Serves the tools x402_list_resources and x402_search_resources over MCP on stdin and stdout.',
    )
    .option('--pay', 'add the tools x402_call, x402_budget and x402_receipts, which pay')
    .option('--ask-above <usdc>', 'ask a person before larger payments (default: 0.1)', parseText)
    .option('--ceiling <usdc>', 'most in 24 hours (default: 1 with --allow-unlimited)', parseText)
    .option('--key-file <file>', 'key file that `svc-x402 agent grant` wrote', parseText)
    .option('--allow-unlimited', 'pay with a key that has no limit on the ledger')
    .addOption(
      new Option(
        '--answer-within <seconds>',
        'answer a call after this time although its payment still settles (default: 15)',
      ).argParser(parseSeconds),
    )
    .option('--save-to <folder>', 'save responses that cannot be shown, and long text', parseText)
    .option('--text-only', 'refuse to pay for anything but text, unless --save-to is set')
    .addHelpText('after', MCP_ENVIRONMENT)
    .action(async ({ pay, ...options }) => {
      if (!pay && Object.keys(options).length > 0)
        throw new CliError('usage', 'Payment options need --pay.');
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
    .option('--rpc-url <url>', "RPC of the network (default: the local service's)", parseUrl)
    .option('--json', 'print the trace as JSON')
    .option('--flame-graph <file>', 'write a flame graph of CPU instructions as SVG', parseText)
    .action(async (hash, options) => (await load()).runTrace(hash, options));

  program
    .command('compare-costs')
    .summary('compare two cost reports')
    .description(
      'Compares two files written by --cost-report, and exits with status 1 if a function consumes more than before.',
    )
    .argument('<before>', 'the earlier report')
    .argument('<after>', 'the later report')
    .option(
      '--threshold <percent>',
      'percentage by which a mean may rise (default: 5)',
      parsePercent,
    )
    .option('--json', 'print the comparison as JSON')
    .action(async (before, after, options) => (await load()).compareCosts(before, after, options));

  addCatalogCommands(program, load);
  addPayCommand(program, load);
  addReceiptCommands(program, load);
  addProxyCommand(program, load);
  addLinkCommand(program, load);
  addAgentCommands(program, load);
  addCodeCommands(program);
  groupCommands(program);

  return program;
}

/** @throws CliError always: `dev` has two servers, so a single port would be a guess */
function twoPorts(port: string): never {
  throw new CliError(
    'usage',
    `dev starts two servers. Use --facilitator-port ${port} for the facilitator, or --ledger-port ${port} for the network.`,
  );
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
    .option('--seed <text>', 'seed for the keys of the genesis accounts', parseText)
    .option(
      '--protocol <version>',
      "protocol of the network, 27 or 28; a later one upgrades the data folder (default: the folder's, else 28)",
      parseProtocol,
    )
    .option(
      '--limits <which>',
      "limits, fees and lifetimes: testnet, unlimited, or a file with stellar-core's settings (default: the network's, else testnet)",
      parseText,
    )
    .option('--accounts <n>', 'create and print n funded accounts; their keys derive from the seed')
    .option('--balance <xlm>', 'XLM for each of them (default: 10000)')
    .option('--auto-impersonate', 'accept transactions of every account without its signatures')
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
      'write the costs of contract calls as JSON at the end',
      parseText,
    )
    .option('--in-memory', 'keep the ledger in memory; it is lost when the process ends');
}

import type { Purse } from '../mcp/pay/purse.ts';
import type { CheckInput, CheckOptions } from './check/index.ts';
import type { AddCommand } from './code/codeOptions.ts';
import type { LogLevel } from './logLevel.ts';
import type { OperatorOptions } from './operator/askOperator.ts';
import type { DrainOptions } from './operator/facilitatorStatus.ts';
import type { CloseOption } from './optionValues.ts';
import type { Report } from './report.ts';

export interface CommonOptions {
  /** Folder for keys, the ledger and the discovery file. Default: the user's own. */
  readonly dataDir?: string;
  /** Print logs and results as JSON Lines. */
  readonly json?: boolean;
  readonly logLevel?: LogLevel;
}

export interface NetworkOptions {
  /** When ledgers close. Default: on demand. */
  readonly close?: CloseOption;
  /** Seed for the keys of the genesis accounts. */
  readonly seed?: string;
  /** Protocol of the network. Default: the data folder's, else the current default. */
  readonly protocol?: 27 | 28;
  /** `testnet`, `unlimited`, or a file with settings. */
  readonly limits?: string;
  /** How many funded accounts to create and print. Default: none. */
  readonly accounts?: string;
  /** Initial XLM of each of them. */
  readonly balance?: string;
  /** Whether to accept transactions of every account without its signatures. */
  readonly autoImpersonate?: boolean;
  /** The clock that time bounds are compared with. */
  readonly timeBounds?: 'network' | 'clock';
  /** Keep the ledger in memory only. */
  readonly inMemory?: boolean;
  /** Print what contracts did, for failed calls or for all. */
  readonly trace?: 'failed' | 'all';
  /** File to which the costs of contract calls are written at the end. */
  readonly costReport?: string;
}

export interface TraceCommand {
  /** Stellar RPC of an embedded network. Default: the service's on this machine. */
  readonly rpcUrl?: string;
  readonly json?: boolean;
  /** File to write a flame graph to. */
  readonly flameGraph?: string;
}

export interface CompareCostsCommand {
  /** Percentage by which a cost may rise. Default: 5. */
  readonly threshold?: number;
  readonly json?: boolean;
}

export interface LedgerCommand extends CommonOptions, NetworkOptions {
  readonly port: number;
  /** IP address to listen on besides the loopback interface. */
  readonly host?: string;
  /** A passphrase other than testnet's. x402 clients know only testnet's, so only `ledger` has this option. */
  readonly passphrase?: string;
  /** Stellar RPC of a network to fork. */
  readonly fork?: string;
  /** The ledger to fork from. Default: the latest. */
  readonly at?: number;
  /** File to load the state from, if it exists, and to save it to. */
  readonly state?: string;
  /** File to load the state from. */
  readonly loadState?: string;
  /** File to save the state to. */
  readonly dumpState?: string;
  /** Seconds between saves. */
  readonly stateInterval?: number;
}

export interface FacilitatorCommand extends CommonOptions {
  readonly port?: number;
  /** Restart after an unhandled error. */
  readonly restart?: boolean;
}

export interface DevCommand extends CommonOptions, NetworkOptions {
  readonly ledgerPort: number;
  readonly facilitatorPort?: number;
  /** Make the demo payment. */
  readonly demo: boolean;
  /** Stop after the demo payment. */
  readonly exit?: boolean;
  /** Restart after an unhandled error. */
  readonly restart?: boolean;
}

export interface CatalogOptions {
  /** Data folder of the service. Default: the user's own. */
  readonly dataDir?: string;
  readonly json?: boolean;
}

export type CatalogAction = 'delist' | 'forbid' | 'allow';

export interface PayCommand {
  readonly method?: string;
  readonly body?: string;
  /** Maximum amount to pay, in USDC. */
  readonly max: string;
  /** File for the response's body. */
  readonly output?: string;
  readonly json?: boolean;
}

export interface ReceiptOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

export interface VerifyReceiptOptions extends ReceiptOptions {
  /** Also ask origin, home domain and ledger. */
  readonly online?: boolean;
  /** Stellar RPC to ask for the payment. */
  readonly rpc?: string;
}

export interface ProxyCommand extends CommonOptions {
  readonly upstream?: string | undefined;
  /** Decimal USDC. */
  readonly price?: string;
  /** An address, or `new`. */
  readonly payTo?: string;
  /** Command of an MCP server over stdin and stdout. */
  readonly mcp?: string;
  /** URL of an MCP server over Streamable HTTP. */
  readonly mcpHttp?: string;
  /** Prices of its tools, each as `name=price`. */
  readonly tool?: readonly string[];
  readonly config?: string;
  /** File or URL. */
  readonly openapi?: string;
  readonly facilitator?: string;
  readonly publicUrl?: string;
  readonly port?: number;
  readonly host: string;
  readonly settle: 'after' | 'before';
  /** Names with commas between them; the configuration's if undefined. */
  readonly protocols?: string;
  /** Sign offers and receipts; the configuration's if undefined. */
  readonly receipts?: boolean;
  /** Whether browsers get a page instead of JSON. */
  readonly page: boolean;
  readonly unchecked?: boolean;
}

/** Sells a file, a folder, a text or a URL, without code. */
export interface LinkCommand extends CommonOptions {
  /** Decimal USDC. */
  readonly price: string;
  /** An address, or `new`. */
  readonly payTo: string;
  /** What is sold, in the seller's words. */
  readonly title?: string;
  /** Sell the words of the argument themselves, even if they look like the name of a file. */
  readonly text?: boolean;
  readonly facilitator?: string;
  readonly publicUrl?: string;
  readonly port?: number;
  readonly host: string;
  readonly unchecked?: boolean;
}

/** Options of `mcp --pay`. Amounts are decimal USDC. */
export interface PayingOptions {
  /** Amount above which a person has to approve the payment. */
  readonly askAbove?: string;
  /** Maximum amount paid in 24 hours. */
  readonly ceiling?: string;
  /** Pay with a key that has no limit on the ledger. */
  readonly allowUnlimited?: boolean;
  /** Key file of an agent, written by `svc-x402 agent grant`. */
  readonly keyFile?: string;
  /** Seconds after which a call is answered although its payment still settles. */
  readonly answerWithin?: number;
  /** Folder for responses that are not shown, and for long text. */
  readonly saveTo?: string;
  /** The client shows only text. */
  readonly textOnly?: boolean;
}

export interface AgentOptions {
  /** Data folder of the service. Default: the user's own. */
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Limits of an agent. Amounts are decimal USDC. */
export interface TopUpOptions extends AgentOptions {
  readonly budget?: string;
  readonly window?: 'day' | 'week' | 'month';
  readonly sliding?: boolean;
  readonly maxPayments?: number;
  readonly perPayment?: string;
  readonly recipient?: readonly string[];
  /** Test USDC for the smart account. Default: ten budgets for a new agent, none for a top-up. */
  readonly fund?: string;
}

export interface GrantOptions extends TopUpOptions {
  readonly budget: string;
  readonly name: string;
  /** `30d`, `12h` or `90m`. */
  readonly expires: string;
  readonly showSecret?: boolean;
}

/** The implementations of the commands, loaded only when a command runs. */
export interface Service {
  runDev(options: DevCommand): Promise<void>;
  runLedger(options: LedgerCommand): Promise<void>;
  runFacilitator(options: FacilitatorCommand): Promise<void>;
  runCreateChannels(options: CommonOptions): Promise<void>;
  showStatus(options: OperatorOptions): Promise<void>;
  drain(options: DrainOptions): Promise<void>;
  changeCatalog(
    action: CatalogAction,
    target: string,
    options: CatalogOptions & { readonly reason: string },
  ): Promise<void>;
  listCatalogRules(options: CatalogOptions): Promise<void>;
  listCatalogJournal(options: CatalogOptions, limit: number): Promise<void>;
  runTrace(hash: string, options: TraceCommand): Promise<void>;
  compareCosts(before: string, after: string, options: CompareCostsCommand): Promise<void>;
  payFor(url: string, options: PayCommand): Promise<void>;
  showReceipts(id: string | undefined, options: ReceiptOptions): Promise<void>;
  verifyReceipt(file: string, options: VerifyReceiptOptions): Promise<void>;
  exportReceipt(id: string, file: string, options: ReceiptOptions): Promise<void>;
  runProxy(options: ProxyCommand): Promise<void>;
  runLink(what: string, options: LinkCommand): Promise<void>;
  openPurse(options: PayingOptions): Promise<Purse>;
  grantAgent(options: GrantOptions): Promise<void>;
  listAgents(options: AgentOptions): Promise<void>;
  topUpAgent(name: string, options: TopUpOptions): Promise<void>;
  rotateAgent(name: string, options: AgentOptions): Promise<void>;
  revokeAgent(name: string, options: AgentOptions): Promise<void>;
  fundAccount(
    address: string,
    options: { readonly usdc: string; readonly json?: boolean },
  ): Promise<void>;
  checkedPayTo(options: AddCommand, report: Report): Promise<string>;
  checkEndpoints(input: CheckInput): Promise<void>;
  checkUrl(url: string, method: string, options: CheckOptions, report: Report): Promise<void>;
  checkConfig(path: string, options: CheckOptions, report: Report): Promise<void>;
}

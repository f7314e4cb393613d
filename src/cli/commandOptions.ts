import type { Purse } from '../mcp/pay/purse.ts';
import type { CheckInput, CheckOptions } from './check/index.ts';
import type { AddCommand } from './code/codeOptions.ts';
import type { LogLevel } from './logLevel.ts';
import type { CloseOption } from './optionValues.ts';
import type { Report } from './report.ts';

export interface CommonOptions {
  /** Folder for keys, the ledger and the discovery file; the default one when not given. */
  readonly dataDir?: string;
  /** Print logs and results as JSON Lines. */
  readonly json?: boolean;
  readonly logLevel?: LogLevel;
}

export interface NetworkOptions {
  /** When ledgers close; on demand when not given. */
  readonly close?: CloseOption;
  /** Seeds the keys of the genesis accounts. */
  readonly seed?: string;
  /** Protocol of the network; that of the data folder, or the default one, when not given. */
  readonly protocol?: 27 | 28;
  /** `testnet`, `unlimited`, or a file with settings. */
  readonly limits?: string;
  /** How many funded accounts to create and print; none when not given. */
  readonly accounts?: string;
  /** XLM of each of them, when it is created. */
  readonly balance?: string;
  /** Whether to take every account's transactions without its signatures. */
  readonly autoImpersonate?: boolean;
  /** What time bounds are compared with. */
  readonly timeBounds?: 'network' | 'clock';
  /** Keep the ledger in memory only. */
  readonly inMemory?: boolean;
  /** Print what contracts did: of what failed, or of everything. */
  readonly trace?: 'failed' | 'all';
  /** File to write at the end: what the calls of contracts consumed. */
  readonly costReport?: string;
}

export interface TraceCommand {
  /** Stellar RPC of an embedded network; that of the service on this machine when not given. */
  readonly rpcUrl?: string;
  readonly json?: boolean;
  /** File to write a flame graph to. */
  readonly flameGraph?: string;
}

export interface CompareCostsCommand {
  /** Percent by which a cost may rise; 5 when not given. */
  readonly threshold?: number;
  readonly json?: boolean;
}

export interface LedgerCommand extends CommonOptions, NetworkOptions {
  readonly port: number;
  /** The passphrase of another network than testnet. x402 clients know no other, so only `ledger` has it. */
  readonly passphrase?: string;
  /** Stellar RPC of a network to fork. */
  readonly fork?: string;
  /** The ledger to fork from; the latest when not given. */
  readonly at?: number;
  /** File to load the state from, if it exists, and to save it to at the end. */
  readonly state?: string;
  /** File to load the state from. */
  readonly loadState?: string;
  /** File to save the state to at the end. */
  readonly dumpState?: string;
}

export interface FacilitatorCommand extends CommonOptions {
  readonly port?: number;
  /** Start again after an error that nothing handled. */
  readonly restart?: boolean;
}

export interface DevCommand extends CommonOptions, NetworkOptions {
  readonly ledgerPort: number;
  readonly facilitatorPort?: number;
  /** Make the demo payment. */
  readonly demo: boolean;
  /** Stop after the demo payment. */
  readonly exit?: boolean;
  /** Start again after an error that nothing handled. */
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
  /** Highest amount to pay, in USDC. */
  readonly max: string;
  readonly json?: boolean;
}

/** Options of `mcp --pay`. Amounts are decimal USDC. */
export interface PayingOptions {
  /** Above this, a person has to approve the payment. */
  readonly askAbove?: string;
  /** The most that is paid in 24 hours. */
  readonly ceiling?: string;
  /** Pay with a key that nothing on the ledger limits. */
  readonly allowUnlimited?: boolean;
  /** Key file of an agent, as `svc-x402 agent grant` writes it. */
  readonly keyFile?: string;
}

export interface AgentOptions {
  /** Data folder of the service. Default: the user's own. */
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Limits of an agent. Amounts are decimal USDC. */
export interface AgentLimitOptions extends AgentOptions {
  readonly budget: string;
  readonly window?: 'day' | 'week' | 'month';
  readonly sliding?: boolean;
  readonly maxPayments?: number;
  readonly perPayment?: string;
  readonly recipient?: readonly string[];
  /** Test USDC that the smart account gets; ten budgets when not given. */
  readonly fund?: string;
}

export interface GrantOptions extends AgentLimitOptions {
  readonly name: string;
  /** `30d`, `12h` or `90m`. */
  readonly expires: string;
  readonly showSecret?: boolean;
}

/** What the commands do. Loaded only when a command runs. */
export interface Service {
  runDev(options: DevCommand): Promise<void>;
  runLedger(options: LedgerCommand): Promise<void>;
  runFacilitator(options: FacilitatorCommand): Promise<void>;
  runCreateChannels(options: CommonOptions): Promise<void>;
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
  openPurse(options: PayingOptions): Promise<Purse>;
  grantAgent(options: GrantOptions): Promise<void>;
  listAgents(options: AgentOptions): Promise<void>;
  topUpAgent(name: string, options: AgentLimitOptions): Promise<void>;
  rotateAgent(name: string, options: AgentOptions): Promise<void>;
  revokeAgent(name: string, options: AgentOptions): Promise<void>;
  fundAccount(
    address: string,
    options: { readonly usdc: string; readonly json?: boolean },
  ): Promise<void>;
  checkedPayTo(options: AddCommand, report: Report): Promise<string>;
  checkEndpoints(input: CheckInput): Promise<void>;
  checkUrl(url: string, method: string, options: CheckOptions, report: Report): Promise<void>;
}

import { setTimeout as pause } from 'node:timers/promises';
import { parseDecimalAmount } from '../../common/amount.ts';
import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../common/moduleHashes.ts';
import { encodeStrKey } from '../../common/strKey.ts';
import {
  AnswerFaults,
  applyLimits,
  ControlServer,
  type FundedAccount,
  fundAccounts,
  Snapshots,
  usableSettings,
} from './control/index.ts';
import {
  GENESIS_CONTRACTS,
  type GenesisAccounts,
  type GenesisKeys,
  genesisAccounts,
  genesisContractId,
  instanceKey,
  type LocalKey,
} from './genesis/index.ts';
import { openCertificates } from './http/certificates/certificateFiles.ts';
import { ledgerListener } from './http/ledgerListener.ts';
import { startLedgerServer } from './http/ledgerServer.ts';
import { type AccountsOption, checkOptions, type LedgerOptions } from './ledgerOptions.ts';
import { type CostRecorder, recordCosts, TraceListener } from './listeners.ts';
import { type OpenNetwork, openNetwork } from './openNetwork.ts';
import { openSimulator, RpcServer } from './rpc/index.ts';
import type { LedgerCertificateAuthority, LedgerUrls, RunningLedger } from './runningLedger.ts';
import type { Simulator } from './simulator/index.ts';
import { accountKeyId, ledgerKeyId } from './state/index.ts';
import type { AddressNames } from './trace/index.ts';
import type { WebApps } from './webApps.ts';

const MAX_ACCOUNTS = 1_000;
const UNIT = 10_000_000n;
/** Even with the maximum number of accounts, far below the number of coins that a header can count. */
const MAX_XLM = 100_000_000n;

/** The key of an account that is funded at the start, and its initial balance. */
interface KeptAccount extends FundedAccount {
  readonly key: LocalKey;
}

/**
 * Derives the accounts that an option requests. @throws RangeError if the number of accounts or their balance is out of range
 */
function fundedAccounts(
  keys: GenesisKeys,
  option: AccountsOption | undefined,
): readonly KeptAccount[] {
  if (option === undefined) return [];
  const { count, balance = '10000' } = option;
  if (!Number.isInteger(count) || count < 1 || count > MAX_ACCOUNTS) {
    throw new RangeError(
      `The number of accounts must be a whole number from 1 to ${MAX_ACCOUNTS}.`,
    );
  }
  const stroops = parseDecimalAmount(balance);
  if (stroops === undefined || stroops < UNIT || stroops > MAX_XLM * UNIT) {
    throw new RangeError(
      `The balance of an account must be from 1 to ${MAX_XLM} XLM, with at most 7 decimal places.`,
    );
  }
  return Array.from({ length: count }, (_, index) => {
    const key = keys.funded(index);
    return { key, publicKey: key.publicKey, balance: stroops };
  });
}

const OWN: ReadonlySet<string> = new Set([
  ...Object.values(MODULE_HASHES),
  ...Object.values(EARLIER_MODULE_HASHES).flat(),
]);

/**
 * Whether a contract's code, by its SHA-256 in hex, is that of one of the project's own contracts, in this or an earlier
 * version.
 */
function isOwnCode(hash: string): boolean {
  return OWN.has(hash);
}

const DEFAULT_PORT = 8_000;
/**
 * How long certificates wait for callers that wait for the port, because creating them takes as long as the rest of the start.
 */
const CERTIFICATES_AFTER_MS = 15;
/** When parts that the first answer does not need are loaded, in milliseconds after the port opens. */
const WARM_UP_AFTER_MS = 50;

/** The part of the network that makes it reachable from outside. */
interface Listener {
  readonly urls: LedgerUrls;
  readonly certificateAuthority: LedgerCertificateAuthority;
  close(): Promise<void>;
}

/**
 * Starts a Stellar network in this process: state, ledgers, Stellar RPC, Horizon and friendbot. Many can run side by side.
 * @throws PersistenceError if the data folder cannot be used, PortError if no port is free, RangeError if `accounts` requests
 *   too many accounts or an impossible balance. TypeError for an option of another form, LimitsError for `limits` that are not
 *   valid for any network
 */
export async function startLedger(options: LedgerOptions = {}): Promise<RunningLedger> {
  checkOptions(options);
  const network = await openNetwork(options);
  const { forked } = network;
  const accounts = genesisAccounts(network.networkId, network.keys);
  const onFault = options.onFault ?? (() => {});
  const faults = new AnswerFaults();
  const simulator = openSimulator(network.service.engine, isOwnCode);
  const background = new Background(onFault);
  let listener: Listener | null = null;
  let traces: TraceListener | undefined;
  const rpc = new RpcServer(
    {
      service: network.service,
      simulator,
      passphrase: network.passphrase,
      retainedLedgers: network.retainedLedgers,
      upgradedAuth: options.upgradedAuth ?? true,
      hostDigest: () => network.hostDigest(),
      // A call without a connection does not have a budget.
      spend: () => {},
      simulated: options.trace && ((simulation) => traces?.simulated(simulation)),
      crowded: () => false,
      pause: () => Promise.resolve(),
      get friendbotUrl() {
        return listener?.urls.friendbot ?? null;
      },
    },
    onFault,
    (method) => faults.take(method),
    forked && ((dryRun) => forked.prefetch(dryRun)),
  );
  try {
    const funded = fundedAccounts(network.keys, options.accounts);
    const names = accountNames(network, funded);
    if (options.limits !== undefined) applyLimits(network.service, options.limits);
    fundAccounts(network.service, funded);
    traces = options.trace && new TraceListener(network.service, names, options.trace, onFault);
    const control = controlOf(network, simulator, funded, names, faults, options);
    const costs =
      options.costReport === undefined
        ? undefined
        : recordCosts(network.service, options.costReport, onFault);
    if (options.port !== null) {
      listener = await listen(
        network,
        rpc,
        control,
        options,
        simulator,
        names,
        background,
        () => listener?.urls.friendbot ?? null,
        async (urls) => options.onReachable?.({ urls, accounts, contracts: contractsOf(network) }),
      );
    } else {
      background.start(() => network.prepareHost());
    }
    const parts = [listener, simulator, background].filter((part) => part !== null);
    return running(network, rpc, control, accounts, funded, listener, parts, costs);
  } catch (error) {
    await background.close();
    network.close();
    throw error;
  }
}

/** Work that no caller waits for. It must not outlive the network: a test framework may have gone then. */
class Background {
  readonly #onFault: (fault: Error) => void;
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(onFault: (fault: Error) => void) {
    this.#onFault = onFault;
  }

  /** Whether the network closes, so that nothing more has to be done. */
  get closed(): boolean {
    return this.#closed;
  }

  start(work: () => Promise<void>): void {
    if (this.#closed) return;
    const running = work()
      .catch(this.#onFault)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits for the work under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running);
  }
}

function running(
  network: OpenNetwork,
  rpc: RpcServer,
  control: ControlServer,
  accounts: GenesisAccounts,
  funded: readonly KeptAccount[],
  listener: Listener | null,
  parts: readonly { close(): Promise<void> }[],
  costs: CostRecorder | undefined,
): RunningLedger {
  const { passphrase, service, close } = network;
  let closing: Promise<void> | undefined;
  return {
    passphrase,
    urls: listener?.urls ?? null,
    certificateAuthority: listener?.certificateAuthority ?? null,
    accounts,
    fundedAccounts: funded.map(({ key: { address, secret } }) => ({ address, secret })),
    contracts: contractsOf(network),
    call: (method, params) => rpc.call(method, params),
    control: (method, params) => control.call(method, params),
    closeLedger: () => service.closeLedger().sequence,
    close: () => {
      closing ??= (async () => {
        try {
          await Promise.all(parts.map((part) => part.close()));
        } finally {
          close();
        }
        costs?.write();
      })();
      return closing;
    },
  };
}

/** The addresses of the genesis contracts; null for those that do not exist. */
function contractsOf({ networkId, keys, service }: OpenNetwork): RunningLedger['contracts'] {
  const found = GENESIS_CONTRACTS.map((name) => {
    const id = genesisContractId(networkId, keys.root.publicKey, name);
    const there = service.engine.state.peek(ledgerKeyId(instanceKey(id))) !== undefined;
    return [name, there ? encodeStrKey('contract', id.value) : null] as const;
  });
  return Object.fromEntries(found) as RunningLedger['contracts'];
}

function controlOf(
  network: OpenNetwork,
  simulator: Simulator,
  funded: readonly KeptAccount[],
  names: AddressNames,
  faults: AnswerFaults,
  { limits, onFault }: LedgerOptions,
): ControlServer {
  const { service, passphrase, keys, hosts, upgradeProtocol, initialState, forked } = network;
  const { root, friendbot, marketMaker, sponsor, channels } = keys;
  const ownAccounts = [root, friendbot, marketMaker, sponsor, ...channels, ...funded].map((key) =>
    accountKeyId(key.publicKey),
  );
  const snapshots = new Snapshots();
  return new ControlServer(
    {
      service,
      simulator,
      passphrase,
      snapshots,
      faults,
      ownAccounts,
      protocols: hosts.protocols,
      upgradeProtocol,
      funded,
      limits: limits === undefined ? [] : usableSettings(limits),
      initialState,
      forgetReads: () => forked?.forget(),
      accountNames: names,
      prefetch: async (dryRun) => forked?.prefetch(dryRun),
    },
    onFault ?? (() => {}),
  );
}

/** The names of this network's own accounts, used in traces. */
function accountNames({ keys }: OpenNetwork, funded: readonly KeptAccount[]): AddressNames {
  const { root, friendbot, marketMaker, sponsor, channels } = keys;
  return new Map([
    [root.address, 'root account'],
    [friendbot.address, 'friendbot'],
    [marketMaker.address, 'market maker'],
    [sponsor.address, "facilitator's sponsor"],
    ...channels.map(({ address }, at) => [address, `channel account ${at + 1}`] as const),
    ...funded.map(({ key }, at) => [key.address, `funded account ${at + 1}`] as const),
  ]);
}

/** The names of the genesis contracts. */
function contractNames(network: OpenNetwork): AddressNames {
  return new Map(
    Object.entries(contractsOf(network)).flatMap(([name, id]) =>
      id === null ? [] : [[id, name] as const],
    ),
  );
}

async function listen(
  network: OpenNetwork,
  rpc: RpcServer,
  control: ControlServer,
  options: LedgerOptions,
  simulator: Simulator,
  names: AddressNames,
  background: Background,
  friendbotUrl: () => string | null,
  onReachable: (urls: LedgerUrls) => Promise<void>,
): Promise<Listener> {
  const onFault = options.onFault ?? (() => {});
  let apps: Promise<WebApps> | undefined;
  const loadApps = (): Promise<WebApps> => {
    apps ??= import('./webApps.ts').then(({ webApps }) =>
      webApps(network, options, simulator, names, contractNames(network), friendbotUrl),
    );
    return apps;
  };
  const answerOther = async (...exchange: Parameters<WebApps['answer']>): Promise<void> => {
    const [, response] = exchange;
    // Nothing is loaded for a request that the closing server will cut off.
    if (apps === undefined && background.closed) response.destroy();
    else await (await loadApps()).answer(...exchange);
  };
  let reached = (): void => {};
  const othersFirst = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const server = await startLedgerServer({
    port: options.port ?? DEFAULT_PORT,
    busyPort: options.busyPort ?? 'move',
    ...(options.host === undefined ? {} : { host: options.host }),
    listener: ledgerListener(rpc, control, answerOther, onFault, options.host),
    certificates: async () => {
      await othersFirst;
      await pause(CERTIFICATES_AFTER_MS);
      return await openCertificates(options.dataFolder, new Date());
    },
    onFault,
  });
  // Later requests for Horizon, friendbot or a contract do not wait for them to load.
  const warmUp = async (): Promise<void> => {
    await network.prepareHost();
    if (!background.closed) await loadApps();
  };
  let warming: NodeJS.Timeout | undefined;
  const urls = urlsOf(server.port);
  try {
    await onReachable(urls).finally(reached);
    warming = setTimeout(() => background.start(warmUp), WARM_UP_AFTER_MS).unref();
    const { authority, authorityFile } = await server.certificates;
    return {
      urls,
      certificateAuthority: { file: authorityFile, pem: authority },
      close: async () => {
        clearTimeout(warming);
        (await apps)?.endAll();
        await server.close();
      },
    };
  } catch (error) {
    clearTimeout(warming);
    await server.close();
    throw error;
  }
}

function urlsOf(port: number): LedgerUrls {
  const http = `http://127.0.0.1:${port}`;
  const https = `https://localhost:${port}`;
  return {
    port,
    http,
    https,
    rpc: `${http}/rpc`,
    rpcTls: `${https}/rpc`,
    horizon: http,
    friendbot: `${http}/friendbot`,
    control: `${http}/control`,
  };
}

import { encodeStrKey } from '../protocol/index.ts';
import { AnswerFaults, ControlServer, fundAccounts, Snapshots } from './control/index.ts';
import { Friendbot } from './friendbot/index.ts';
import { fundedAccounts, type KeptAccount } from './fundedAccounts.ts';
import {
  GENESIS_CONTRACTS,
  type GenesisAccounts,
  genesisAccounts,
  genesisContractId,
  instanceKey,
} from './genesis/index.ts';
import { createHorizon, Links, OpenAnswers, transactionResource } from './horizon/index.ts';
import {
  forkedAccounts,
  friendbotRoute,
  ledgerListener,
  openCertificates,
  pageRoute,
  startLedgerServer,
} from './http/index.ts';
import type { LedgerOptions } from './ledgerOptions.ts';
import { type OpenNetwork, openNetwork } from './openNetwork.ts';
import { isOwnCode } from './ownCode.ts';
import { openSimulator, RpcServer } from './rpc/index.ts';
import type { LedgerCertificateAuthority, LedgerUrls, RunningLedger } from './runningLedger.ts';
import type { Simulator } from './simulator/index.ts';
import { accountKeyId, ledgerKeyId } from './state/index.ts';
import { type AddressNames, traceTransaction } from './trace/index.ts';
import { TraceListener } from './traceListener.ts';

const DEFAULT_PORT = 8_000;

/** What the network is reached by from outside. */
interface Listener {
  readonly urls: LedgerUrls;
  readonly certificateAuthority: LedgerCertificateAuthority;
  close(): Promise<void>;
}

/**
 * Starts a Stellar network in this process: state, ledgers, Stellar RPC, Horizon and friendbot. Many can run side by side.
 * @throws PersistenceError when the data folder cannot be used, PortError when no port is free, RangeError when
 *   `accounts` asks for too many accounts or for a balance that no account can have
 */
export async function startLedger(options: LedgerOptions = {}): Promise<RunningLedger> {
  const network = await openNetwork(options);
  const { forked } = network;
  const accounts = genesisAccounts(network.networkId, network.keys);
  const onFault = options.onFault ?? (() => {});
  const faults = new AnswerFaults();
  const simulator = openSimulator(network.service.engine, isOwnCode);
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
      // A call without a connection has no budget.
      spend: () => {},
      simulated: options.trace && ((simulation) => traces?.simulated(simulation)),
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
    fundAccounts(network.service, funded);
    traces = options.trace && new TraceListener(network.service, names, options.trace, onFault);
    const control = controlOf(network, simulator, funded, names, faults, onFault);
    if (options.port !== null) {
      listener = await listen(
        network,
        rpc,
        control,
        options,
        names,
        () => listener?.urls.friendbot ?? null,
      );
    }
    return running(network, rpc, control, accounts, funded, listener, simulator);
  } catch (error) {
    network.close();
    throw error;
  }
}

function running(
  network: OpenNetwork,
  rpc: RpcServer,
  control: ControlServer,
  accounts: GenesisAccounts,
  funded: readonly KeptAccount[],
  listener: Listener | null,
  simulator: Simulator,
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
        await Promise.all([listener?.close(), simulator.close()]);
        close();
      })();
      return closing;
    },
  };
}

/** The contracts of genesis that exist. */
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
  onFault: (fault: Error) => void,
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
      initialState,
      forgetReads: () => forked?.forget(),
      accountNames: names,
      prefetch: async (dryRun) => forked?.prefetch(dryRun),
    },
    onFault,
  );
}

/** What the accounts that this network made are called where a trace lists them. */
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

async function listen(
  { service, keys, passphrase, forked }: OpenNetwork,
  rpc: RpcServer,
  control: ControlServer,
  options: LedgerOptions,
  names: AddressNames,
  friendbotUrl: () => string | null,
): Promise<Listener> {
  const traceOf = (hash: string): object | undefined => {
    const found = service.history.transaction(hash);
    return found && traceTransaction(found, service.engine.state, names);
  };
  const onFault = options.onFault ?? (() => {});
  const friendbot = new Friendbot(service, keys.friendbot);
  const funding = friendbotRoute(friendbot, (found, baseUrl) =>
    transactionResource(new Links(baseUrl), found),
  );
  const openAnswers = new OpenAnswers();
  const horizon = createHorizon({
    service,
    passphrase,
    openAnswers,
    get friendbotUrl() {
      return friendbotUrl();
    },
    onFault,
  });
  const fromElsewhere = forked ? [forkedAccounts(service, forked, friendbot)] : [];
  const server = await startLedgerServer({
    port: options.port ?? DEFAULT_PORT,
    busyPort: options.busyPort ?? 'move',
    listener: ledgerListener(
      rpc,
      control,
      [...fromElsewhere, funding, pageRoute(options.facilitatorUrl, traceOf), horizon],
      onFault,
    ),
    certificates: () => openCertificates(options.dataFolder, new Date()),
    onFault,
  });
  try {
    const { authority, authorityFile } = await server.certificates;
    return {
      urls: urlsOf(server.port),
      certificateAuthority: { file: authorityFile, pem: authority },
      close: () => {
        openAnswers.endAll();
        return server.close();
      },
    };
  } catch (error) {
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

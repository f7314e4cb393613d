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
import { RpcServer } from './rpc/index.ts';
import type { LedgerCertificateAuthority, LedgerUrls, RunningLedger } from './runningLedger.ts';
import { accountKeyId, ledgerKeyId } from './state/index.ts';

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
  let listener: Listener | null = null;
  const rpc = new RpcServer(
    {
      service: network.service,
      passphrase: network.passphrase,
      retainedLedgers: network.retainedLedgers,
      upgradedAuth: options.upgradedAuth ?? true,
      hostDigest: () => network.hostDigest(),
      // A call without a connection has no budget.
      spend: () => {},
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
    fundAccounts(network.service, funded);
    const control = controlOf(network, funded, faults, onFault);
    if (options.port !== null) {
      listener = await listen(
        network,
        rpc,
        control,
        options,
        () => listener?.urls.friendbot ?? null,
      );
    }
    return running(network, rpc, control, accounts, funded, listener);
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
        await listener?.close();
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
  { service, passphrase, keys, hosts, upgradeProtocol, initialState, forked }: OpenNetwork,
  funded: readonly KeptAccount[],
  faults: AnswerFaults,
  onFault: (fault: Error) => void,
): ControlServer {
  const { root, friendbot, marketMaker, sponsor, channels } = keys;
  const ownAccounts = [root, friendbot, marketMaker, sponsor, ...channels, ...funded].map((key) =>
    accountKeyId(key.publicKey),
  );
  const snapshots = new Snapshots();
  return new ControlServer(
    {
      service,
      passphrase,
      snapshots,
      faults,
      ownAccounts,
      protocols: hosts.protocols,
      upgradeProtocol,
      funded,
      initialState,
      forgetReads: () => forked?.forget(),
    },
    onFault,
  );
}

async function listen(
  { service, keys, passphrase, forked }: OpenNetwork,
  rpc: RpcServer,
  control: ControlServer,
  options: LedgerOptions,
  friendbotUrl: () => string | null,
): Promise<Listener> {
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
      [...fromElsewhere, funding, pageRoute(options.facilitatorUrl), horizon],
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

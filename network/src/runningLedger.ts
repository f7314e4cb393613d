import type { ControlCalls, ControlMethod } from './control/index.ts';
import type { GenesisAccounts, GenesisContractName, LocalAccount } from './genesis/index.ts';

/** Where a network listens. Each URL works over both http and https. */
export interface LedgerUrls {
  /** The port of all of them. */
  readonly port: number;
  /** `http://127.0.0.1:8000` */
  readonly http: string;
  /** `https://localhost:8000`, for clients that refuse plain HTTP. */
  readonly https: string;
  /** Stellar RPC over http. */
  readonly rpc: string;
  /** Stellar RPC over https. */
  readonly rpcTls: string;
  /** Horizon's root. */
  readonly horizon: string;
  /** Accepts `?addr=G…`. */
  readonly friendbot: string;
  /** JSON-RPC for the `svc_…` methods, only for programs on this machine. */
  readonly control: string;
}

/** The certificate authority for https. */
export interface LedgerCertificateAuthority {
  /** Path of the PEM file, for NODE_EXTRA_CA_CERTS; null without a data folder. */
  readonly file: string | null;
  /** The certificate, as PEM. */
  readonly pem: string;
}

/** A network running in this process. */
export interface RunningLedger {
  readonly passphrase: string;
  /** Null when it was started without a port. */
  readonly urls: LedgerUrls | null;
  /** Null when it was started without a port. */
  readonly certificateAuthority: LedgerCertificateAuthority | null;
  readonly accounts: GenesisAccounts;
  /** The accounts of the option `accounts`, sorted by index. */
  readonly fundedAccounts: readonly LocalAccount[];
  /**
   * The project's own contracts (`C…`). Null if the network began without one, because its data folder is older than the
   * contract.
   */
  readonly contracts: Readonly<Record<GenesisContractName, string | null>>;
  /**
   * Calls a method of Stellar RPC without a socket and returns its `result`.
   * @throws RpcError with the code and message that the server would return
   */
  call(method: string, params?: object): Promise<unknown>;
  /**
   * Calls a control method: time, state and faults of this network.
   * @throws RpcError if a parameter is invalid, LedgerServiceError
   */
  control<M extends ControlMethod>(
    method: M,
    params?: ControlCalls[M]['params'],
  ): Promise<ControlCalls[M]['result']>;
  /** Closes a ledger now, with all waiting transactions. Returns its sequence. */
  closeLedger(): number;
  /** Stops listening and closing ledgers, and releases the data folder. */
  close(): Promise<void>;
}

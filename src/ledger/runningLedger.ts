import type { ControlCalls, ControlMethod } from './control/index.ts';
import type { GenesisAccounts, GenesisContractName, LocalAccount } from './genesis/index.ts';

/** Where a network listens. Each URL answers over http and https alike. */
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
  /** Takes `?addr=G…`. */
  readonly friendbot: string;
  /** JSON-RPC of the methods `svc_…`, for this machine alone. */
  readonly control: string;
}

/** Who vouches for the https side. */
export interface LedgerCertificateAuthority {
  /** Path of the PEM file, for NODE_EXTRA_CA_CERTS; null without a data folder. */
  readonly file: string | null;
  /** The certificate, as PEM. */
  readonly pem: string;
}

/** A network that runs in this process. */
export interface RunningLedger {
  readonly passphrase: string;
  /** Null when it was started without a port. */
  readonly urls: LedgerUrls | null;
  /** Null when it was started without a port. */
  readonly certificateAuthority: LedgerCertificateAuthority | null;
  readonly accounts: GenesisAccounts;
  /** The accounts of the option `accounts`, in the order of their index. */
  readonly fundedAccounts: readonly LocalAccount[];
  /**
   * The project's own contracts (`C…`). Null where the network began without one: its data folder is older than the
   * contract.
   */
  readonly contracts: Readonly<Record<GenesisContractName, string | null>>;
  /**
   * Calls a method of Stellar RPC without a socket, and returns its `result`.
   * @throws RpcError with the code and message that the server would answer
   */
  call(method: string, params?: object): Promise<unknown>;
  /**
   * Calls a method of control: time, state and faults of this network.
   * @throws RpcError where a parameter cannot be what it is, LedgerServiceError
   */
  control<M extends ControlMethod>(
    method: M,
    params?: ControlCalls[M]['params'],
  ): Promise<ControlCalls[M]['result']>;
  /** Closes a ledger now, with all waiting transactions. Returns its sequence. */
  closeLedger(): number;
  /** Stops listening and closing, and leaves the data folder to others. */
  close(): Promise<void>;
}

import type { RpcNetwork } from './rpcNetwork.ts';

/** Versions of Stellar RPC whose results these are, by protocol. */
const RPC_VERSIONS: ReadonlyMap<number, string> = new Map([
  [27, '27.1.0'],
  [28, '28.0.0'],
]);
const PROGRAM = 'svc-x402';

/** Result of `getVersionInfo`. */
export interface VersionInfoResult {
  readonly version: string;
  readonly commitHash: string;
  readonly buildTimestamp: string;
  readonly captiveCoreVersion: string;
  readonly protocolVersion: number;
}

/**
 * There is neither a captive core nor a commit of Stellar RPC: the version names the program that answers, and the commit
 * is replaced with the shortened SHA-256 of the Soroban host in use.
 */
export function getVersionInfo({ service, hostDigest }: RpcNetwork): VersionInfoResult {
  const { ledgerVersion } = service.engine.state.header;
  return {
    version: `${RPC_VERSIONS.get(ledgerVersion) ?? `${ledgerVersion}.0.0`}-${PROGRAM}`,
    commitHash: hostDigest(),
    buildTimestamp: '',
    captiveCoreVersion: `${PROGRAM} embedded ledger`,
    protocolVersion: ledgerVersion,
  };
}

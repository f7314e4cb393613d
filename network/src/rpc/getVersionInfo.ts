import type { RpcNetwork } from './rpcNetwork.ts';

/** The versions of Stellar RPC whose results are reproduced, by protocol. */
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
 * There is neither a captive core nor a commit of Stellar RPC: the version names this program, and the truncated SHA-256 of the
 * Soroban host replaces the commit.
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

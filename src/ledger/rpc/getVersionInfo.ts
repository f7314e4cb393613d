import type { RpcNetwork } from './rpcNetwork.ts';

/** Version of Stellar RPC whose answers these are. */
const RPC_VERSION = '27.0.0';
const PROGRAM = 'svc-x402';

/** There is neither a captive core nor a commit of Stellar RPC: the fields say what stands in their place. */
export function getVersionInfo({ service }: RpcNetwork): unknown {
  return {
    version: `${RPC_VERSION}-${PROGRAM}`,
    commitHash: '',
    buildTimestamp: '',
    captiveCoreVersion: `${PROGRAM} embedded ledger`,
    protocolVersion: service.engine.state.header.ledgerVersion,
  };
}

import type { RpcNetwork } from './rpcNetwork.ts';

/** Result of `getNetwork`. */
export interface NetworkResult {
  /** Absent if the network has none. */
  readonly friendbotUrl?: string;
  readonly passphrase: string;
  readonly protocolVersion: number;
}

export function getNetwork({ service, passphrase, friendbotUrl }: RpcNetwork): NetworkResult {
  return {
    ...(friendbotUrl === null ? {} : { friendbotUrl }),
    passphrase,
    protocolVersion: service.engine.state.header.ledgerVersion,
  };
}

import type { RpcNetwork } from './rpcNetwork.ts';

export function getNetwork({ service, passphrase, friendbotUrl }: RpcNetwork): unknown {
  return {
    ...(friendbotUrl === null ? {} : { friendbotUrl }),
    passphrase,
    protocolVersion: service.engine.state.header.ledgerVersion,
  };
}

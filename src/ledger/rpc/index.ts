export { LIMITS } from './limits.ts';
export { RpcError } from './rpcError.ts';
export type { RpcNetwork } from './rpcNetwork.ts';
export { RpcServer } from './rpcServer.ts';

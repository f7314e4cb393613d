export { LIMITS } from './limits.ts';
export { openSimulator } from './openSimulator.ts';
export { RpcError } from './rpcError.ts';
export { RPC_METHOD_NAMES } from './rpcMethods.ts';
export type { RpcNetwork } from './rpcNetwork.ts';
export {
  type AnswerFault,
  errorAnswer,
  parseRequest,
  RpcServer,
  type TakeFault,
} from './rpcServer.ts';
export { type SimulatedInvocation, simulateInvocation, simulationRequest } from './simulation.ts';

export type { AnswerFault, TakeFault } from './answerFault.ts';
export { errorAnswer, parseRequest } from './jsonRpcMessage.ts';
export { LIMITS } from './limits.ts';
export { openSimulator } from './openSimulator.ts';
export { RpcError } from './rpcError.ts';
export { RPC_METHOD_NAMES } from './rpcMethods.ts';
export type { RpcNetwork } from './rpcNetwork.ts';
export { RpcServer } from './rpcServer.ts';
export { type SimulatedInvocation, simulateInvocation, simulationRequest } from './simulation.ts';

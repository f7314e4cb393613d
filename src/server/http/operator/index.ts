export { type Activity, createActivity } from './activity.ts';
export { isFromThisMachine } from './fromThisMachine.ts';
export { mountOperator, type OperatorParts } from './mountOperator.ts';
export { createRpcCalls, type RpcCalls } from './rpcCalls.ts';

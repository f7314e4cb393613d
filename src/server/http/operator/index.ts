export { type Activity, createActivity } from './activity.ts';
export { isFromThisMachine } from './fromThisMachine.ts';
export {
  type DrainParts,
  isOperator,
  mountOperator,
  NOT_OPERATOR,
  type OperatorParts,
  setDraining,
} from './mountOperator.ts';
export { createRpcCalls, type RpcCalls } from './rpcCalls.ts';

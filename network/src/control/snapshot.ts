import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** Keeps a snapshot of the state after the last ledger. @throws RpcError */
export function snapshot(
  { service: { engine }, snapshots }: ControlNetwork,
  params: unknown,
): { id: string; ledger: number } {
  new ControlParams(params, []);
  return { id: snapshots.take(engine.state), ledger: engine.state.header.ledgerSeq };
}

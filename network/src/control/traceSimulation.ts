import { xdr } from '@stellar/stellar-sdk';
import { simulateInvocation, simulationRequest } from '../rpc/index.ts';
import type { WatchReads } from '../state/index.ts';
import { type SimulationTrace, traceSimulation as trace } from '../trace/index.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

const MODES = ['enforce', 'record', 'record_allow_nonroot'] as const;

/**
 * Simulates a contract call and explains what it would do. Nothing changes, and the transaction does not need signatures.
 * @throws RpcError
 */
export async function traceSimulation(
  { service, simulator, accountNames, prefetch }: ControlNetwork,
  params: unknown,
): Promise<SimulationTrace> {
  const read = new ControlParams(params, ['transaction', 'authMode']);
  const envelope = read.base64('transaction', 'a TransactionEnvelope', (bytes) =>
    xdr.TransactionEnvelope.fromXdr(bytes),
  );
  const authMode = read.has('authMode') ? read.oneOf('authMode', MODES) : '';
  const request = simulationRequest(envelope, authMode, true);
  if (typeof request === 'string') throw invalid(request);
  if (request.kind !== 'invoke') {
    throw invalid('transaction must call a contract; nothing else can be traced');
  }
  const run = (watch: WatchReads) => simulateInvocation(simulator, request, watch);
  await prefetch(async (watch) => {
    await run(watch);
  });
  const simulated = await run((read) => read());
  return trace(simulated, service.engine.state, accountNames);
}

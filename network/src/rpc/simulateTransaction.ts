import { xdr } from '@stellar/stellar-sdk';
import { entryReader, type LedgerService } from '../close/index.ts';
import type { WatchReads } from '../state/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { JsonText } from './jsonText.ts';
import { LIMITS } from './limits.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import {
  type InvocationRequest,
  orRpcError,
  type SimulationRequest,
  simulationOf,
  simulationRequest,
} from './simulation.ts';
import {
  extendTtlAnswer,
  failure,
  invocationAnswer,
  restoreAnswer,
  type SimulationAnswer,
} from './simulationAnswer.ts';
import { formatProblem, readBase64Xdr, type XdrFormat } from './xdrFormat.ts';

/**
 * Returns what a transaction would do and need on top of the last closed ledger. If the transaction would fail, the result has
 * an `error`, but the call succeeds (stellar-rpc `internal/methods/simulate_transaction.go`).
 *
 * The source account does not have to exist. `useUpgradedAuth` records address-bound credentials, as Stellar RPC does since
 * 27.1, unless the network was started without them for clients that cannot sign them.
 *
 * @param watch called around what reads entries
 * @throws RpcError if a parameter has the wrong type, or if too many long simulations are waiting
 */
export async function simulateTransaction(
  network: RpcNetwork,
  params: RpcParams,
  watch: WatchReads = (read) => read(),
): Promise<SimulationAnswer | JsonText> {
  const { service, upgradedAuth } = network;
  service.transactionAnnounced();
  const authMode = params.text('authMode');
  const leeway = params.object('resourceConfig')?.count('instructionLeeway') ?? 0;
  const addressV2 = params.flag('useUpgradedAuth') && upgradedAuth;
  const format = params.text('xdrFormat');
  const problem = formatProblem(format);
  if (problem !== undefined) return failure(problem);
  const envelope = readBase64Xdr(xdr.TransactionEnvelope, params.text('transaction'));
  if (envelope === undefined) return failure('Could not unmarshal transaction');
  const request = simulationRequest(envelope, authMode, addressV2);
  if (typeof request === 'string') return failure(request);
  const answered = format === 'json' ? 'json' : 'base64';
  return request.kind === 'invoke'
    ? await invocation(network, request, leeway, answered, watch)
    : watch(() => footprint(service, request, answered));
}

async function invocation(
  { simulator, spend, simulated }: RpcNetwork,
  request: InvocationRequest,
  instructionLeeway: number,
  format: XdrFormat,
  watch: WatchReads,
): Promise<SimulationAnswer | JsonText> {
  const rendering = { format, withOutcome: simulated !== undefined };
  const done = await orRpcError(
    simulator.simulate(simulationOf(request, instructionLeeway), rendering, watch),
  );
  if (done.outcome !== undefined)
    simulated?.({ request, outcome: done.outcome, sequence: done.sequence });
  if (done.kind === 'rendered') {
    spend('instructions', Math.max(done.cpuInstructions, LIMITS.leastOfSimulation));
    return new JsonText(done.text);
  }
  spend('instructions', done.outcome.cpuInstructions);
  return invocationAnswer(done.outcome, done.sequence, format);
}

function footprint(
  { engine }: LedgerService,
  request: Exclude<SimulationRequest, InvocationRequest>,
  format: XdrFormat,
): SimulationAnswer {
  const { state } = engine;
  const { host, settings } = engine.environment();
  // Each key takes time on this thread, and no transaction with more of them is valid.
  const most = settings.ledgerCostExt.txMaxFootprintEntries;
  if (request.keys.length > most) {
    return failure(
      `The footprint has ${request.keys.length} keys; a transaction can have at most ${most}`,
    );
  }
  const { ledgerSeq, scpValue } = state.header;
  const ledger = { sequence: ledgerSeq, closeTime: scpValue.closeTime };
  const read = entryReader(state);
  const keys = request.keys.map(encodeXdr);
  if (request.kind === 'restore') {
    return restoreAnswer(host.simulateRestore({ ledger, keys, read }), ledgerSeq, format);
  }
  const { extendTo } = request;
  return extendTtlAnswer(
    host.simulateExtendTtl({ ledger, keys, extendTo, read }),
    ledgerSeq,
    format,
  );
}

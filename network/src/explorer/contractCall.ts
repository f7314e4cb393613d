import { xdr } from '@stellar/stellar-sdk';
import { parseAccountAddress } from '../../../common/address.ts';
import { addressCredentials } from '../../../common/authorization.ts';
import { readScAddress } from '../../../common/scAddress.ts';
import { decodeStrKey } from '../../../common/strKey.ts';
import type { LedgerEngine } from '../close/index.ts';
import { type SimulatedInvocation, simulateInvocation, simulationRequest } from '../rpc/index.ts';
import type { Simulator } from '../simulator/index.ts';
import { accountKeyId, type DryRun, type WatchReads } from '../state/index.ts';
import {
  type AddressNames,
  contractBook,
  type SimulationTrace,
  traceSimulation,
} from '../trace/index.ts';
import { ParsedTransaction } from '../transaction/index.ts';
import { ArgumentError, argumentValue } from './argumentValue.ts';
import { callableFunctions } from './contractPage.ts';

/** Maximum number of arguments of a call, and of characters in one of them. */
const MAX_ARGUMENTS = 50;
const MAX_ARGUMENT = 16_384;

/** What a call is simulated and explained with. */
export interface CallingNetwork {
  readonly engine: LedgerEngine;
  readonly simulator: Simulator;
  readonly names: AddressNames;
  /** Loads the entries of a forked network that a dry run reads; does nothing on other networks. */
  readonly prefetch: (dryRun: DryRun) => Promise<void>;
}

/** A call that a user filled in, and its effects. */
export interface PreparedCall {
  readonly trace: SimulationTrace;
  /** Addresses whose authorization the call needs besides the signature of its source. */
  readonly alsoNeeds: readonly string[];
  /** The unsigned transaction, in base64; null if the call would fail or the source account does not exist. */
  readonly transaction: string | null;
  /** The hash that its source signs, in hex. */
  readonly hash: string | null;
}

/**
 * Simulates a call, given its arguments as text, and prepares the transaction that makes it.
 * @param asked `{ function, arguments, source }`, parsed from JSON
 * @throws ArgumentError, and RpcError if too many simulations are waiting
 */
export async function prepareCall(
  network: CallingNetwork,
  contract: string,
  asked: unknown,
): Promise<PreparedCall> {
  const call = readCall(network, contract, asked);
  const draft = transactionOf(network.engine, call, undefined);
  const request = simulationRequest(envelopeOf(draft), '', false);
  if (typeof request === 'string' || request.kind !== 'invoke') {
    throw new ArgumentError('This is not a contract call');
  }
  const run = (watch: WatchReads) => simulateInvocation(network.simulator, request, watch);
  await network.prefetch(async (watch) => {
    await run(watch);
  });
  const simulated = await run((read) => read());
  const trace = traceSimulation(simulated, network.engine.state, network.names);
  const { outcome } = simulated;
  if (!outcome.ok) return { trace, alsoNeeds: [], transaction: null, hash: null };
  const ready = transactionOf(network.engine, call, simulated);
  const { hash } = new ParsedTransaction(network.engine.networkId, envelopeOf(ready));
  return {
    trace,
    alsoNeeds: othersIn(ready),
    transaction: call.sequence === undefined ? null : envelopeOf(ready).toXdr('base64'),
    hash: Buffer.from(hash).toString('hex'),
  };
}

interface ReadCall {
  readonly source: Uint8Array;
  /** Of the transaction; undefined if the account does not exist. */
  readonly sequence: bigint | undefined;
  readonly hostFunction: xdr.HostFunction;
}

/** @throws ArgumentError */
function readCall({ engine }: CallingNetwork, contract: string, asked: unknown): ReadCall {
  const { state } = engine;
  const id = decodeStrKey('contract', contract);
  const fields: Readonly<Record<string, unknown>> =
    typeof asked === 'object' && asked !== null ? Object.fromEntries(Object.entries(asked)) : {};
  const { function: name, arguments: texts, source } = fields;
  const account = typeof source === 'string' ? parseAccountAddress(source.trim()) : undefined;
  if (account === undefined) throw new ArgumentError('source: Enter an account, G…');
  const known = contractBook(state)(contract);
  const found = callableFunctions(known.interface.functions).find(([one]) => one === name);
  if (id === undefined || found === undefined) {
    throw new ArgumentError('The contract does not declare this function');
  }
  const [functionName, inputs] = found;
  const given: readonly unknown[] = Array.isArray(texts) ? texts : [];
  if (given.length !== inputs.length || inputs.length > MAX_ARGUMENTS) {
    throw new ArgumentError(`${functionName} takes ${inputs.length} arguments`);
  }
  const args = inputs.map((input, at) => {
    const text = given[at];
    if (typeof text !== 'string' || text.length > MAX_ARGUMENT) {
      throw new ArgumentError(`${input.name}: Enter at most ${MAX_ARGUMENT} characters`);
    }
    try {
      return argumentValue(text, input.type, known.interface.types);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      throw new ArgumentError(`${input.name}: ${error.message}`);
    }
  });
  const sourceBytes = decodeStrKey('account', account) ?? new Uint8Array();
  const entry = state.peek(accountKeyId(xdr.PublicKey.publicKeyTypeEd25519(sourceBytes)));
  return {
    source: sourceBytes,
    sequence: entry?.data.type === 'account' ? entry.data.account.seqNum + 1n : undefined,
    hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(
      new xdr.InvokeContractArgs({
        contractAddress: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(id)),
        functionName,
        args,
      }),
    ),
  };
}

/** @param simulated the source of the resources, fee and authorization that the transaction needs */
function transactionOf(
  { state }: LedgerEngine,
  { source, sequence, hostFunction }: ReadCall,
  simulated: SimulatedInvocation | undefined,
): xdr.Transaction {
  const outcome = simulated?.outcome.ok ? simulated.outcome : undefined;
  const auth = (outcome?.auth ?? []).map((one) => xdr.SorobanAuthorizationEntry.fromXdr(one));
  const resourceFee = outcome?.minResourceFee ?? 0n;
  const body = xdr.OperationBody.invokeHostFunction(
    new xdr.InvokeHostFunctionOp({ hostFunction, auth }),
  );
  const data = outcome && xdr.SorobanTransactionData.fromXdr(outcome.transactionData);
  return new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(source),
    fee: state.header.baseFee + Number(resourceFee),
    seqNum: sequence ?? 1n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [new xdr.Operation({ sourceAccount: null, body })],
    ext:
      data === undefined
        ? xdr.TransactionExt.v0()
        : xdr.TransactionExt.sorobanData(new xdr.SorobanTransactionData({ ...data, resourceFee })),
  });
}

function envelopeOf(tx: xdr.Transaction): xdr.TransactionEnvelope {
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx, signatures: [] }),
  );
}

/** Addresses with their own credentials, other than those of the transaction's source. */
function othersIn({ operations }: xdr.Transaction): string[] {
  const addresses = operations.flatMap(({ body }) =>
    body.type === 'invokeHostFunction'
      ? body.invokeHostFunctionOp.auth.map(({ credentials }) => addressCredentials(credentials))
      : [],
  );
  const texts = addresses.flatMap((one) => (one && readScAddress(one.address)) ?? []);
  return [...new Set(texts)];
}

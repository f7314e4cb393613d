import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey, parseAccountAddress } from '../../protocol/index.ts';
import { addressCredentials, readScAddress } from '../../protocol/stellar/index.ts';
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
import { ArgumentError } from './argumentError.ts';
import { argumentValue } from './argumentValue.ts';
import { callableFunctions } from './contractPage.ts';

/** Arguments of a call, and characters of one of them. */
const MOST_ARGUMENTS = 50;
const MOST_ARGUMENT = 16_384;

/** What runs and explains calls. */
export interface CallingNetwork {
  readonly engine: LedgerEngine;
  readonly simulator: Simulator;
  readonly names: AddressNames;
  /** Loads the entries of a forked network that a dry run reads; does nothing on other networks. */
  readonly prefetch: (dryRun: DryRun) => Promise<void>;
}

/** A call that somebody filled in, and what it would do. */
export interface PreparedCall {
  readonly trace: SimulationTrace;
  /** Whose authorization the call needs beside the signature of its source. */
  readonly alsoNeeds: readonly string[];
  /** The transaction without its signature, in base64; null where the call would fail, or where nobody can send it. */
  readonly transaction: string | null;
  /** What its source signs, in hex. */
  readonly hash: string | null;
}

/**
 * Simulates a call by the texts of its arguments, and prepares the transaction that makes it.
 * @param asked `{ function, arguments, source }` as JSON parsed it
 * @throws ArgumentError, and RpcError where too many simulations are waiting
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
    throw new ArgumentError('This is not a call of a contract');
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
  /** Of the transaction; undefined where the account does not exist. */
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
  if (account === undefined) throw new ArgumentError('source: Write an account, G…');
  const known = contractBook(state)(contract);
  const found = callableFunctions(known.interface.functions).find(([one]) => one === name);
  if (id === undefined || found === undefined) {
    throw new ArgumentError('The contract does not declare this function');
  }
  const [functionName, inputs] = found;
  const given: readonly unknown[] = Array.isArray(texts) ? texts : [];
  if (given.length !== inputs.length || inputs.length > MOST_ARGUMENTS) {
    throw new ArgumentError(`${functionName} takes ${inputs.length} arguments`);
  }
  const args = inputs.map((input, at) => {
    const text = given[at];
    if (typeof text !== 'string' || text.length > MOST_ARGUMENT) {
      throw new ArgumentError(`${input.name}: Write at most ${MOST_ARGUMENT} characters`);
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

/** @param simulated gives the transaction the resources, fee and authorization that it needs */
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

/** Whose credentials are not those of the transaction's source. */
function othersIn({ operations }: xdr.Transaction): string[] {
  const addresses = operations.flatMap(({ body }) =>
    body.type === 'invokeHostFunction'
      ? body.invokeHostFunctionOp.auth.map(({ credentials }) => addressCredentials(credentials))
      : [],
  );
  const texts = addresses.flatMap((one) => (one && readScAddress(one.address)) ?? []);
  return [...new Set(texts)];
}

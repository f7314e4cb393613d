import { xdr } from '@stellar/stellar-sdk';
import { entryReader } from '../close/index.ts';
import type { SimulationAuth } from '../host/index.ts';
import { accountOfMuxed } from '../transaction/balances/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { prngSeed } from './prngSeed.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import {
  extendTtlAnswer,
  failure,
  invocationAnswer,
  restoreAnswer,
  type SimulationAnswer,
} from './simulationAnswer.ts';
import { authOf } from './simulationAuth.ts';
import { decodeXdr, formatProblem, type XdrFormat } from './xdrFormat.ts';

/**
 * Returns what a transaction would do and need, on top of the last closed ledger. A reason why it would fail is a result
 * with an `error`, not an error of the call (stellar-rpc `internal/methods/simulate_transaction.go`).
 *
 * The source account need not exist. `useUpgradedAuth` records address-bound credentials, as Stellar RPC does since 27.1,
 * unless the network was started without them for clients that cannot sign those.
 *
 * @throws RpcError where a parameter has the wrong type
 */
export function simulateTransaction(
  { service, upgradedAuth, spend }: RpcNetwork,
  params: RpcParams,
): SimulationAnswer {
  service.transactionAnnounced();
  const authMode = params.text('authMode');
  const leeway = params.object('resourceConfig')?.count('instructionLeeway') ?? 0;
  const addressV2 = params.flag('useUpgradedAuth') && upgradedAuth;
  const format = params.text('xdrFormat');
  const problem = formatProblem(format);
  if (problem !== undefined) return failure(problem);
  const envelope = decodeXdr(params.text('transaction'), (text) =>
    xdr.TransactionEnvelope.fromXdr(text, 'base64'),
  );
  if (envelope === undefined) return failure('Could not unmarshal transaction');
  const request = requestOf(envelope, authMode, addressV2);
  if (typeof request === 'string') return failure(request);
  return simulate({ service, spend }, request, leeway, format === 'json' ? 'json' : 'base64');
}

type Simulated =
  | {
      readonly kind: 'invoke';
      readonly body: xdr.InvokeHostFunctionOp;
      readonly source: xdr.PublicKey;
      readonly auth: SimulationAuth;
    }
  | { readonly kind: 'extend'; readonly keys: readonly xdr.LedgerKey[]; readonly extendTo: number }
  | { readonly kind: 'restore'; readonly keys: readonly xdr.LedgerKey[] };

/** The simulation to run, or why none is run. */
function requestOf(
  envelope: xdr.TransactionEnvelope,
  authMode: string,
  addressV2: boolean,
): Simulated | string {
  const { operations, memo, sourceAccount, sorobanData } = contentOf(envelope);
  const [operation] = operations;
  if (operation === undefined || operations.length !== 1) {
    return 'Transaction contains more than one operation';
  }
  if (memo.type !== 'memoNone') {
    return 'Transaction contains a memo. Soroban transactions do not support memos.';
  }
  const { body } = operation;
  const auth = authOf(body, authMode, addressV2);
  if (typeof auth === 'string') return auth;
  if (body.type === 'invokeHostFunction') {
    const source = accountOfMuxed(operation.sourceAccount ?? sourceAccount);
    return { kind: 'invoke', body: body.invokeHostFunctionOp, source, auth };
  }
  if (sorobanData === undefined) {
    return 'To perform a SimulateTransaction for ExtendFootprintTtl or RestoreFootprint operations, SorobanTransactionData must be provided';
  }
  const { readOnly, readWrite } = sorobanData.resources.footprint;
  return body.type === 'extendFootprintTtl'
    ? { kind: 'extend', keys: readOnly, extendTo: body.extendFootprintTtlOp.extendTo }
    : { kind: 'restore', keys: readWrite };
}

interface Content {
  readonly operations: readonly xdr.Operation[];
  readonly memo: xdr.Memo;
  readonly sourceAccount: xdr.MuxedAccount;
  readonly sorobanData: xdr.SorobanTransactionData | undefined;
}

function contentOf(envelope: xdr.TransactionEnvelope): Content {
  if (envelope.type === 'envelopeTypeTxV0') {
    const { operations, memo, sourceAccountEd25519 } = envelope.v0.tx;
    const sourceAccount = xdr.MuxedAccount.keyTypeEd25519(sourceAccountEd25519);
    return { operations, memo, sourceAccount, sorobanData: undefined };
  }
  const inner = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx : envelope;
  const { operations, memo, sourceAccount, ext } = inner.v1.tx;
  const sorobanData = ext.type === 'v0' ? undefined : ext.sorobanData;
  return { operations, memo, sourceAccount, sorobanData };
}

function simulate(
  { service, spend }: Pick<RpcNetwork, 'service' | 'spend'>,
  request: Simulated,
  instructionLeeway: number,
  format: XdrFormat,
): SimulationAnswer {
  const { state } = service.engine;
  const { host } = service.engine.environment();
  const { ledgerSeq, scpValue } = state.header;
  const ledger = { sequence: ledgerSeq, closeTime: scpValue.closeTime };
  const read = entryReader(state);
  switch (request.kind) {
    case 'invoke': {
      const outcome = host.simulateInvoke({
        ledger,
        hostFunction: encodeXdr(request.body.hostFunction),
        sourceAccount: encodeXdr(request.source),
        auth: request.auth,
        prngSeed: prngSeed(),
        instructionLeeway,
        diagnostics: true,
        read,
      });
      spend('instructions', outcome.cpuInstructions);
      return invocationAnswer(outcome, ledgerSeq, format);
    }
    case 'extend': {
      const keys = request.keys.map(encodeXdr);
      const { extendTo } = request;
      return extendTtlAnswer(
        host.simulateExtendTtl({ ledger, keys, extendTo, read }),
        ledgerSeq,
        format,
      );
    }
    case 'restore': {
      const keys = request.keys.map(encodeXdr);
      return restoreAnswer(host.simulateRestore({ ledger, keys, read }), ledgerSeq, format);
    }
  }
}

import { xdr } from '@stellar/stellar-sdk';
import { ParsedTransaction } from '../transaction/index.ts';
import { rememberXdr } from '../xdr/index.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import {
  formatOf,
  readBase64,
  readXdr,
  type XdrField,
  type XdrFormat,
  type XdrListField,
  xdrField,
  xdrListField,
} from './xdrFormat.ts';

/** Result of `sendTransaction`. */
export type SendResult<F extends XdrFormat = XdrFormat> = TakenResult | RefusedResult<F>;

interface SendFields {
  readonly hash: string;
  readonly latestLedger: number;
  /** Seconds since 1970. */
  readonly latestLedgerCloseTime: string;
}

interface TakenResult extends SendFields {
  readonly status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER';
}

type RefusedResult<F extends XdrFormat> = SendFields & { readonly status: 'ERROR' } & XdrField<
    F,
    'errorResultXdr',
    'errorResultJson'
  > &
  XdrListField<F, 'diagnosticEventsXdr', 'diagnosticEventsJson'>;

/** Submits a transaction and answers without waiting for its ledger. Rejects with RpcError. */
export async function sendTransaction(
  { service, crowded }: RpcNetwork,
  params: RpcParams,
): Promise<SendResult> {
  const format = formatOf(params);
  const envelope = envelopeOf(params);
  // A single transaction would wait longer for another thread than for this one.
  const sent = crowded() ? await service.announced(envelope) : envelope;
  const { latest } = service.history;
  const { hash, submission } = service.submit(sent);
  const fields = {
    hash,
    latestLedger: latest.sequence,
    latestLedgerCloseTime: String(latest.closeTime),
  };
  if (submission.status !== 'ERROR') return { status: submission.status, ...fields };
  const { status, result, diagnosticEvents } = submission;
  return {
    ...xdrField(format, ['errorResultXdr', 'errorResultJson'], result),
    ...xdrListField(format, ['diagnosticEventsXdr', 'diagnosticEventsJson'], diagnosticEvents),
    status,
    ...fields,
  };
}

/** The answer TRY_AGAIN_LATER, without actually submitting the transaction. @throws RpcError */
export function tryAgainLater({ service }: RpcNetwork, params: RpcParams): TakenResult {
  const { latest } = service.history;
  const { hash } = new ParsedTransaction(service.engine.networkId, envelopeOf(params));
  return {
    status: 'TRY_AGAIN_LATER',
    hash: hash.toString('hex'),
    latestLedger: latest.sequence,
    latestLedgerCloseTime: String(latest.closeTime),
  };
}

export function envelopeOf(params: RpcParams): xdr.TransactionEnvelope {
  const bytes = readBase64(params.text('transaction'));
  const envelope = readXdr(xdr.TransactionEnvelope, bytes);
  if (bytes === undefined || envelope === undefined) {
    throw new RpcError('invalidParams', 'invalid_xdr');
  }
  // XDR has only one encoding per value, so the bytes read can be reused.
  rememberXdr(envelope, bytes);
  return envelope;
}

import { xdr } from '@stellar/stellar-sdk';
import { ParsedTransaction } from '../transaction/index.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { decodeXdr, formatOf, xdrField, xdrListField } from './xdrFormat.ts';

/** Takes a transaction in, and answers without waiting for its ledger. @throws RpcError */
export function sendTransaction({ service }: RpcNetwork, params: RpcParams): unknown {
  const format = formatOf(params);
  const envelope = envelopeOf(params);
  const { latest } = service.history;
  const { hash, submission } = service.submit(envelope);
  const refusal =
    submission.status !== 'ERROR'
      ? {}
      : {
          ...xdrField(format, ['errorResultXdr', 'errorResultJson'], submission.result),
          ...xdrListField(
            format,
            ['diagnosticEventsXdr', 'diagnosticEventsJson'],
            submission.diagnosticEvents,
          ),
        };
  return {
    ...refusal,
    status: submission.status,
    hash,
    latestLedger: latest.sequence,
    latestLedgerCloseTime: String(latest.closeTime),
  };
}

/** The answer to a transaction that there is no place for, without looking for one. @throws RpcError */
export function tryAgainLater({ service }: RpcNetwork, params: RpcParams): unknown {
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
  const envelope = decodeXdr(params.text('transaction'), (text) =>
    xdr.TransactionEnvelope.fromXdr(text, 'base64'),
  );
  if (envelope === undefined) throw new RpcError('invalidParams', 'invalid_xdr');
  return envelope;
}

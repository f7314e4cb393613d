import { xdr } from '@stellar/stellar-sdk';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { decodeXdr, formatOf, xdrField, xdrListField } from './xdrFormat.ts';

/** Takes a transaction in, and answers without waiting for its ledger. @throws RpcError */
export function sendTransaction({ service }: RpcNetwork, params: RpcParams): unknown {
  const format = formatOf(params);
  const envelope = decodeXdr(params.text('transaction'), (text) =>
    xdr.TransactionEnvelope.fromXdr(text, 'base64'),
  );
  if (envelope === undefined) throw new RpcError('invalidParams', 'invalid_xdr');
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

import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  addressCredentials,
  decodePaymentEnvelope,
  readMuxedAccount,
  readScAddress,
  readTransferCall,
} from '../../protocol/stellar/index.ts';
import { t } from '../words/index.ts';

/** The content of a settlement's transaction, as text. */
export interface DecodedTransaction {
  readonly feeSource: string | undefined;
  readonly transfer:
    | {
        readonly asset: string;
        readonly from: string;
        readonly to: string;
        readonly amount: bigint;
      }
    | undefined;
  readonly authorizations: readonly {
    readonly address: string | undefined;
    readonly nonce: string;
    readonly expirationLedger: number;
  }[];
  /** The complete envelope as JSON. */
  readonly json: string;
}

/** Decodes an envelope, a fee bump or not. @param envelope base64 XDR; throws for anything else */
export function decodeTransaction(envelope: string): DecodedTransaction {
  const outer = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  const bump = outer.type === 'envelopeTypeTxFeeBump' ? outer.feeBump : undefined;
  const inner = bump?.tx.innerTx.type === 'envelopeTypeTx' ? bump.tx.innerTx.v1 : undefined;
  const plain = inner ? xdr.TransactionEnvelope.envelopeTypeTx(inner) : outer;
  const decoded = decodePaymentEnvelope(plain.toXdr('base64'));
  const call = decoded.ok ? readTransferCall(decoded.envelope.invocation) : undefined;
  return {
    feeSource: bump === undefined ? undefined : readMuxedAccount(bump.tx.feeSource),
    transfer: call && {
      asset: call.asset,
      from: call.from,
      to: call.to ?? t('another type of address'),
      amount: call.amount,
    },
    authorizations: decoded.ok
      ? decoded.envelope.authorizations.flatMap((entry) => {
          const credentials = addressCredentials(entry.credentials);
          if (credentials === undefined) return [];
          return [
            {
              address: readScAddress(credentials.address),
              nonce: credentials.nonce.toString(),
              expirationLedger: credentials.signatureExpirationLedger,
            },
          ];
        })
      : [],
    json: JSON.stringify(outer.toXdrObject(), readable, 2),
  };
}

function readable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value;
}

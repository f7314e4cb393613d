import type { PaymentEnvelope, TransferCall } from '../../../../protocol/stellar/index.ts';
import type { PreparedPayment } from '../../payment/index.ts';

/** A payment of scheme `exact`: one signed transfer of one amount. */
export interface ExactPayment extends PreparedPayment {
  readonly decoded: PaymentEnvelope;
  readonly transfer: TransferCall;
}

import type { PaymentEnvelope, UptoCall, UptoTerms } from '../../../../protocol/stellar/index.ts';
import type { PreparedPayment } from '../../payment/index.ts';

/** A payment of scheme `upto`: a signed ceiling, and the amount that this request moves under it. */
export interface UptoPayment extends PreparedPayment {
  readonly decoded: PaymentEnvelope;
  readonly call: UptoCall & UptoTerms;
}

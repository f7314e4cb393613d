import type { Clock } from '../../../clock.ts';
import type { StellarNetwork } from '../../../network/index.ts';
import type { PaymentScheme } from '../../payment/index.ts';
import { guardSkew } from '../guardSkew.ts';
import { describeSettled } from './explainUptoFailure.ts';
import { prepareUpto } from './prepareUpto.ts';
import { simulateUpto } from './simulateUpto.ts';
import type { UptoPayment } from './uptoPayment.ts';
import type { UptoRules } from './uptoRules.ts';

/** Scheme `upto` (experimental): the buyer signs a ceiling, and the amount used under it settles. */
export function uptoScheme(
  network: StellarNetwork,
  rules: UptoRules,
  clock: Clock,
): PaymentScheme<UptoPayment> {
  return {
    name: 'upto',
    insufficientFunds: 'upto_insufficient_funds',
    badSignature: 'upto_signature_invalid',
    extra: {
      areFeesSponsored: true,
      maxTransactionFeeStroops: rules.maxTxFeeStroops.toString(),
      uptoContract: rules.contract,
    },
    prepare: (request, step) => prepareUpto(request, step, rules),
    simulate: (payment, envelope) =>
      guardSkew(() => simulateUpto(payment, envelope, network, rules), clock),
    explainFailed: (payment) => describeSettled(payment, network),
  };
}

import type { Clock } from '../../../clock.ts';
import type { StellarNetwork } from '../../../network/index.ts';
import type { PaymentScheme } from '../../payment/index.ts';
import { guardSkew } from '../guardSkew.ts';
import type { ExactPayment } from './exactPayment.ts';
import { prepareExact } from './prepareExact.ts';
import { type ExactRules, simulateExact } from './simulateExact.ts';

/** Scheme `exact`: the buyer signs an amount, and exactly that amount settles. */
export function exactScheme(
  network: StellarNetwork,
  rules: ExactRules,
  clock: Clock,
): PaymentScheme<ExactPayment> {
  return {
    name: 'exact',
    insufficientFunds: 'insufficient_funds',
    badSignature: 'signature_invalid',
    extra: {
      areFeesSponsored: true,
      maxTransactionFeeStroops: rules.maxTxFeeStroops.toString(),
    },
    prepare: (request) => prepareExact(request, rules.own),
    simulate: (payment, envelope) =>
      guardSkew(() => simulateExact(payment, envelope, network, rules), clock),
  };
}

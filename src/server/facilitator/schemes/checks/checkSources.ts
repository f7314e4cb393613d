import type { AccountAddress } from '../../../../protocol/index.ts';
import type { PaymentEnvelope } from '../../../../protocol/stellar/index.ts';
import { accepted, type Checked, rejected } from '../../payment/index.ts';

/** Checks that no account of the facilitator is the source of the transaction or of its operation. */
export function checkSources(
  envelope: PaymentEnvelope,
  own: ReadonlySet<AccountAddress>,
): Checked<undefined> {
  const { source, operationSource } = envelope;
  return own.has(source) || (operationSource !== undefined && own.has(operationSource))
    ? rejected('unsafe_source')
    : accepted(undefined);
}

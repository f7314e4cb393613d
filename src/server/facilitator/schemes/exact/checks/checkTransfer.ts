import type { AccountAddress, StellarAddress } from '../../../../../protocol/index.ts';
import {
  invokedContract,
  type PaymentEnvelope,
  readTransferCall,
  type TransferCall,
} from '../../../../../protocol/stellar/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';
import type { Terms } from '../../checks/checkTerms.ts';

/**
 * Checks that the call is `transfer(payer, payTo, amount)` on the required asset, and that no account
 * of the facilitator pays or is paid.
 */
export function checkTransfer(
  envelope: PaymentEnvelope,
  terms: Terms,
  own: ReadonlySet<AccountAddress>,
): Checked<TransferCall> {
  const isOwn = (address: StellarAddress): boolean => (own as ReadonlySet<string>).has(address);
  const { plain } = envelope;
  const asset = plain === undefined ? invokedContract(envelope.invocation) : plain.call.asset;
  if (asset !== terms.asset) return rejected('wrong_asset');
  const call = plain === undefined ? readTransferCall(envelope.invocation) : plain.call;
  if (call === undefined) return rejected('wrong_function');
  if (isOwn(call.from)) return rejected('facilitator_is_payer');
  if (call.to !== terms.payTo) return rejected('wrong_recipient');
  if (call.amount !== terms.amount) return rejected('wrong_amount');
  if (isOwn(terms.payTo)) return rejected('facilitator_is_recipient');
  return accepted(call);
}

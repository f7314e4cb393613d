import type { StellarAddress } from '../../../../../protocol/index.ts';
import {
  invokedContract,
  type PaymentEnvelope,
  readUptoCall,
  type UptoCall,
  type UptoCallProblem,
  type UptoTerms,
} from '../../../../../protocol/stellar/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';
import type { Terms } from '../../checks/checkTerms.ts';
import type { UptoRules } from '../uptoRules.ts';

const PROBLEM_CODES = {
  function: 'upto_wrong_function',
  count: 'upto_wrong_argument_count',
  hook: 'upto_hook_not_supported',
  arguments: 'upto_arguments_malformed',
} as const satisfies Record<UptoCallProblem, string>;

/**
 * Checks that the call is `settle` of the served contract, for the required asset and recipient, and that
 * no account of the facilitator pays or is paid (spec: Upto wire shape).
 */
export function checkSettleCall(
  { invocation }: PaymentEnvelope,
  { asset, payTo }: Pick<Terms, 'asset' | 'payTo'>,
  { contract, own }: UptoRules,
): Checked<UptoCall & UptoTerms> {
  const isOwn = (address: StellarAddress): boolean => (own as ReadonlySet<string>).has(address);
  if (invokedContract(invocation) !== contract) return rejected('upto_wrong_contract');
  const read = readUptoCall(contract, invocation);
  if (!read.ok) return rejected(PROBLEM_CODES[read.problem]);
  const { call } = read;
  if (call.token !== asset) return rejected('upto_asset_mismatch', call.token);
  if (isOwn(call.from)) return rejected('upto_facilitator_is_payer');
  if (call.to !== payTo) return rejected('upto_payto_mismatch', call.to);
  if (isOwn(payTo)) return rejected('upto_facilitator_is_recipient');
  if (payTo === call.from || payTo === contract) return rejected('upto_recipient_not_payable');
  if (call.maxAmount <= 0n) return rejected('upto_ceiling_not_positive');
  return accepted({ ...call, to: payTo });
}

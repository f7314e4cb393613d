export type LedgerFaultCode =
  | 'account_missing'
  | 'trustline_missing'
  | 'balance_bound'
  | 'line_not_authorized'
  | 'negative_reserve'
  | 'native_trustline'
  | 'extension_missing'
  | 'pool_counter_negative'
  | 'sponsorship_mismatch'
  | 'sponsorship_counter'
  | 'sponsorship_result'
  | 'signer_missing'
  | 'unsponsorable_entry'
  | 'exchange_out_of_bounds'
  | 'exchange_unfair'
  | 'offer_liabilities'
  | 'pool_missing'
  | 'pool_out_of_bounds';

const MESSAGES: Record<LedgerFaultCode, string> = {
  account_missing: 'an account that must exist does not',
  trustline_missing: 'a trustline that must exist does not',
  balance_bound: 'a balance that was checked before could not be changed',
  line_not_authorized: 'the balance of an unauthorized trustline was requested',
  negative_reserve: 'an account counts more sponsored entries than it has',
  native_trustline: 'the native asset has no trustline',
  extension_missing: 'an entry lacks an extension that it must have',
  pool_counter_negative: 'a use count of a liquidity pool fell below zero',
  sponsorship_mismatch: 'an entry is sponsored by another account than expected',
  sponsorship_counter: 'a counter of sponsored entries does not match the entries',
  sponsorship_result: 'an operation got an impossible sponsorship result',
  signer_missing: 'a signer that must exist does not',
  unsponsorable_entry: 'an entry of this type has no reserve and cannot be sponsored',
  exchange_out_of_bounds: 'an exchange moved more than a side can give or take',
  exchange_unfair: 'an exchange was rounded in favour of the offer that leaves the book',
  offer_liabilities: 'the liabilities of an offer do not fit the holdings of its owner',
  pool_missing: 'a pool with shareholders does not exist',
  pool_out_of_bounds: 'a liquidity pool was asked for more than its reserves',
};

/**
 * The ledger contradicts itself, or a rule was applied where it must not be. This is never a user's mistake: the transaction
 * ends with `txINTERNAL_ERROR`, as in stellar-core.
 */
export class LedgerFault extends Error {
  override readonly name = 'LedgerFault';
  readonly code: LedgerFaultCode;

  constructor(code: LedgerFaultCode) {
    super(MESSAGES[code]);
    this.code = code;
  }
}

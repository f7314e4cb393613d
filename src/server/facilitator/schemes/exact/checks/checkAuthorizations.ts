import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress } from '../../../../../protocol/index.ts';
import {
  type AddressAuthorization,
  type PaymentEnvelope,
  readAuthorization,
  type TransferCall,
} from '../../../../../protocol/stellar/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';

export interface AuthorizationTerms {
  readonly payment: { readonly decoded: PaymentEnvelope; readonly transfer: TransferCall };
  readonly own: ReadonlySet<AccountAddress>;
  /** The ledger the simulation ran on. */
  readonly latestLedger: number;
  /** The last ledger an authorization may name, tolerance included. */
  readonly maxLedger: number;
}

/** Checks each entry on its own, in the canonical order of codes. */
function checkEntry(
  entry: xdr.SorobanAuthorizationEntry,
  terms: AuthorizationTerms,
): Checked<AddressAuthorization> {
  const authorization = readAuthorization(entry);
  if (authorization === undefined) return rejected('unsupported_credential_type');
  const { address, expirationLedger } = authorization;
  if (address !== undefined && (terms.own as ReadonlySet<string>).has(address)) {
    return rejected('facilitator_in_auth');
  }
  if (expirationLedger > terms.maxLedger) {
    return rejected('signature_expiration_too_far', `${expirationLedger} > ${terms.maxLedger}`);
  }
  if (entry.rootInvocation.subInvocations.length > 0) return rejected('has_subinvocations');
  return accepted(authorization);
}

/** Whether an entry authorizes exactly the call that the transaction makes. */
function authorizesTheCall(
  authorization: AddressAuthorization,
  invocation: xdr.InvokeContractArgs,
): boolean {
  const root = authorization.invocation.function;
  return (
    root.type === 'sorobanAuthorizedFunctionTypeContractFn' && root.contractFn.equals(invocation)
  );
}

/**
 * Checks that the payer, and nobody else, has authorized exactly this transfer, and that the authorization
 * can still be used in the next ledger. The simulation checks the signatures: it runs
 * `__check_auth`.
 */
export function checkAuthorizations(terms: AuthorizationTerms): Checked<undefined> {
  const { decoded, transfer } = terms.payment;
  if (decoded.authorizations.length === 0) return rejected('no_auth_entries');

  const read: AddressAuthorization[] = [];
  for (const entry of decoded.authorizations) {
    const checked = checkEntry(entry, terms);
    if (!checked.ok) return checked;
    read.push(checked.value);
  }

  const isPayers = ({ address }: AddressAuthorization): boolean => address === transfer.from;
  if (!read.some((one) => one.signed && isPayers(one))) return rejected('missing_payer_signature');
  if (read.some((one) => !one.signed)) return rejected('unexpected_pending_signatures');
  const [only, ...others] = read;
  if (
    only === undefined ||
    others.length > 0 ||
    !isPayers(only) ||
    !authorizesTheCall(only, decoded.invocation)
  ) {
    return rejected('unexpected_authorization');
  }
  if (only.expirationLedger <= terms.latestLedger) {
    return rejected('signature_expired', `${only.expirationLedger} <= ${terms.latestLedger}`);
  }
  return accepted(undefined);
}

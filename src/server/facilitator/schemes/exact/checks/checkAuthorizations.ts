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

/** The parts of an entry that the checks need. */
interface ReadEntry extends Omit<AddressAuthorization, 'invocation'> {
  readonly hasSubInvocations: boolean;
  /** Whether it authorizes exactly the call that the transaction makes. */
  readonly authorizesTheCall: () => boolean;
}

/** Reads the entries; `undefined` for those without address credentials. */
function readEntries(decoded: PaymentEnvelope): readonly (ReadEntry | undefined)[] {
  const { plain } = decoded;
  if (plain !== undefined) {
    const { authorization } = plain;
    return [{ ...authorization, hasSubInvocations: false, authorizesTheCall: () => true }];
  }
  return decoded.authorizations.map((entry) => {
    const read = readAuthorization(entry);
    return (
      read && {
        ...read,
        hasSubInvocations: entry.rootInvocation.subInvocations.length > 0,
        authorizesTheCall: () => authorizes(read, decoded.invocation),
      }
    );
  });
}

/** Checks each entry on its own, in the canonical order of codes. */
function checkEntry(entry: ReadEntry | undefined, terms: AuthorizationTerms): Checked<ReadEntry> {
  if (entry === undefined) return rejected('unsupported_credential_type');
  const { address, expirationLedger } = entry;
  if (address !== undefined && (terms.own as ReadonlySet<string>).has(address)) {
    return rejected('facilitator_in_auth');
  }
  if (expirationLedger > terms.maxLedger) {
    return rejected('signature_expiration_too_far', `${expirationLedger} > ${terms.maxLedger}`);
  }
  if (entry.hasSubInvocations) return rejected('has_subinvocations');
  return accepted(entry);
}

function authorizes(
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
  const entries = readEntries(decoded);
  if (entries.length === 0) return rejected('no_auth_entries');

  const read: ReadEntry[] = [];
  for (const entry of entries) {
    const checked = checkEntry(entry, terms);
    if (!checked.ok) return checked;
    read.push(checked.value);
  }

  const isPayers = ({ address }: ReadEntry): boolean => address === transfer.from;
  if (!read.some((one) => one.signed && isPayers(one))) return rejected('missing_payer_signature');
  if (read.some((one) => !one.signed)) return rejected('unexpected_pending_signatures');
  const [only, ...others] = read;
  if (only === undefined || others.length > 0 || !isPayers(only) || !only.authorizesTheCall()) {
    return rejected('unexpected_authorization');
  }
  if (only.expirationLedger <= terms.latestLedger) {
    return rejected('signature_expired', `${only.expirationLedger} <= ${terms.latestLedger}`);
  }
  return accepted(undefined);
}

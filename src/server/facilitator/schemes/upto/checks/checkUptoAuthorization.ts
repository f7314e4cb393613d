import type * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type AddressAuthorization,
  MAX_UPTO_LEDGERS,
  readAuthorization,
  uptoAuthorizedInvocation,
} from '../../../../../protocol/stellar/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';
import type { UptoPayment } from '../uptoPayment.ts';
import type { UptoRules } from '../uptoRules.ts';

type Payment = Pick<UptoPayment, 'decoded' | 'call'>;

function readEntries(
  entries: readonly xdr.SorobanAuthorizationEntry[],
  own: UptoRules['own'],
): Checked<AddressAuthorization[]> {
  const read: AddressAuthorization[] = [];
  for (const entry of entries) {
    const authorization = readAuthorization(entry);
    if (authorization === undefined) return rejected('upto_unsupported_credential_type');
    const { address } = authorization;
    if (address !== undefined && (own as ReadonlySet<string>).has(address)) {
      return rejected('upto_facilitator_in_auth');
    }
    read.push(authorization);
  }
  return accepted(read);
}

/** Checks that the tree is `settle` over the six terms, with one `approve` of the ceiling as its only sub-invocation. */
function checkTree(authorization: AddressAuthorization, payment: Payment): Checked<undefined> {
  const expected = uptoAuthorizedInvocation(payment.call);
  const { function: root, subInvocations } = authorization.invocation;
  if (!root.equals(expected.function)) return rejected('upto_authorization_mismatch');
  const [approve, ...others] = subInvocations;
  const [expectedApprove] = expected.subInvocations;
  if (approve === undefined || others.length > 0 || expectedApprove?.equals(approve) !== true) {
    return rejected('upto_wrong_allowance');
  }
  return accepted(undefined);
}

function checkExpiration(
  authorization: AddressAuthorization,
  { call }: Payment,
  latestLedger: number,
): Checked<undefined> {
  const { expirationLedger } = call;
  if (expirationLedger <= latestLedger) {
    return rejected('upto_expired', `${expirationLedger} <= ${latestLedger}`);
  }
  if (expirationLedger > latestLedger + MAX_UPTO_LEDGERS) {
    return rejected(
      'upto_expiration_too_far',
      `${expirationLedger} > ${latestLedger} + ${MAX_UPTO_LEDGERS}`,
    );
  }
  if (authorization.expirationLedger <= latestLedger) {
    return rejected(
      'upto_signature_expired',
      `${authorization.expirationLedger} <= ${latestLedger}`,
    );
  }
  return accepted(undefined);
}

/**
 * Checks that the payer, and nobody else, has authorized the six terms and the one allowance, and that both
 * the terms and the signature can still be used in the next ledger (spec: Authentication). The simulation
 * checks the signature.
 */
export function checkUptoAuthorization(
  payment: Payment,
  own: UptoRules['own'],
  latestLedger: number,
): Checked<undefined> {
  const { decoded, call } = payment;
  if (decoded.authorizations.length === 0) return rejected('upto_no_authorization');
  const read = readEntries(decoded.authorizations, own);
  if (!read.ok) return read;
  const only = read.value.find(({ address, signed }) => signed && address === call.from);
  if (only === undefined) return rejected('upto_missing_payer_signature');
  if (read.value.length > 1) return rejected('upto_unexpected_authorization');
  const tree = checkTree(only, payment);
  return tree.ok ? checkExpiration(only, payment, latestLedger) : tree;
}

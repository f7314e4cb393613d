import * as xdr from '@stellar/stellar-sdk/xdr';
import { addressCredentials } from '../../../common/authorization.ts';

/**
 * Returns the bytes whose SHA-256 the payer signs. Entries of kind `addressV2` bind the address too, so
 * that a signature for one account is not valid for another that shares its key (CAP-71).
 * @param networkId SHA-256 of the network passphrase
 * @throws TypeError if the entry does not have address credentials
 */
export function authorizationPreimage(
  entry: xdr.SorobanAuthorizationEntry,
  networkId: Uint8Array,
): Uint8Array {
  const credentials = addressCredentials(entry.credentials);
  if (credentials === undefined) throw new TypeError('only address credentials are signed');
  const common = {
    networkId,
    nonce: credentials.nonce,
    signatureExpirationLedger: credentials.signatureExpirationLedger,
    invocation: entry.rootInvocation,
  };
  const preimage =
    entry.credentials.type === 'sorobanCredentialsAddress'
      ? xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
          new xdr.HashIdPreimageSorobanAuthorization(common),
        )
      : xdr.HashIdPreimage.envelopeTypeSorobanAuthorizationWithAddress(
          new xdr.HashIdPreimageSorobanAuthorizationWithAddress({
            ...common,
            address: credentials.address,
          }),
        );
  return preimage.toXdr();
}

import * as xdr from '@stellar/stellar-sdk/xdr';
import { authorizationPreimage, toScAddress } from '../../protocol/stellar/index.ts';
import type { KnownSigner } from './paymentSigner.ts';
import type { Platform } from './platform.ts';

export interface AuthorizationParts {
  /** `addressV2` also binds the signature to the address (CAP-71, protocol 27). */
  readonly kind: 'address' | 'addressV2';
  readonly nonce: bigint;
  readonly expirationLedger: number;
  readonly invocation: xdr.InvokeContractArgs;
  /** Sub-invocations to authorize with it; none if undefined. */
  readonly below?: readonly xdr.SorobanAuthorizedInvocation[];
}

/** Returns the nonce of a new authorization. Each authorization has one of its own. */
export function freshNonce(platform: Platform): bigint {
  const bytes = platform.randomBytes(8);
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0);
}

/**
 * Builds and signs the entry that authorizes exactly one invocation and only the given sub-invocations.
 * It is built here and never accepted from a server, so that exactly the requested call is signed.
 */
export async function signAuthorization(
  parts: AuthorizationParts,
  signer: KnownSigner,
  networkPassphrase: string,
  platform: Platform,
): Promise<xdr.SorobanAuthorizationEntry> {
  const { kind, nonce, expirationLedger, invocation } = parts;
  const rootInvocation = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
    subInvocations: [...(parts.below ?? [])],
  });
  const entry = (signature: xdr.ScVal) => {
    const credentials = new xdr.SorobanAddressCredentials({
      address: toScAddress(signer.address),
      nonce,
      signatureExpirationLedger: expirationLedger,
      signature,
    });
    return new xdr.SorobanAuthorizationEntry({
      credentials:
        kind === 'address'
          ? xdr.SorobanCredentials.sorobanCredentialsAddress(credentials)
          : xdr.SorobanCredentials.sorobanCredentialsAddressV2(credentials),
      rootInvocation,
    });
  };
  const networkId = await platform.sha256(new TextEncoder().encode(networkPassphrase));
  const preimage = authorizationPreimage(entry(xdr.ScVal.scvVoid()), networkId);
  const hash = await platform.sha256(preimage);
  return entry(await signer.sign({ hash, preimage, expirationLedger }));
}

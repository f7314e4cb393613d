import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress, StellarAddress } from '../../protocol/index.ts';
import { addressBytes } from '../../protocol/stellar/index.ts';

/** What is to be signed: one transfer, until one ledger. */
export interface SigningRequest {
  /** SHA-256 of the authorization's preimage: what the ledger checks the signature against. */
  readonly hash: Uint8Array;
  /** The preimage itself, for wallets that hash and show what they sign (SEP-43 `signAuthEntry`). */
  readonly preimage: Uint8Array;
  readonly invocation: xdr.InvokeContractArgs;
  /** Last ledger in which the signature holds. */
  readonly expirationLedger: number;
}

/** Who pays. A smart account signs as its `__check_auth` wants it: its value is not read here. */
export interface PaymentSigner {
  readonly address: StellarAddress;
  /** Gives the signature of an authorization entry in the form that the account expects. */
  sign(request: SigningRequest): Promise<xdr.ScVal>;
}

function member(name: string, bytes: Uint8Array): xdr.ScMapEntry {
  return new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: xdr.ScVal.scvBytes(bytes) });
}

/**
 * A classic account with one key of full weight.
 * @param signHash makes the 64 bytes of an Ed25519 signature; the key stays with the caller
 */
export function accountSigner(
  address: AccountAddress,
  signHash: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): PaymentSigner {
  return {
    address,
    // The form that the ledger reads for classic accounts (CAP-46-11).
    async sign({ hash }) {
      const signature = await signHash(hash);
      return xdr.ScVal.scvVec([
        xdr.ScVal.scvMap([
          member('public_key', addressBytes(address)),
          member('signature', signature),
        ]),
      ]);
    },
  };
}

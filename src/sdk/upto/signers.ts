import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  parseAccountAddress,
  parseStellarAddress,
  TESTNET_PASSPHRASE,
} from '../../protocol/index.ts';
import { accountSigner, type PaymentSigner, type SigningRequest } from '../exact/index.ts';

/**
 * A signer in the form of `@x402/stellar` and of wallets (SEP-43): `createEd25519Signer` gives one.
 * It signs the SHA-256 of the preimage, for a classic account.
 */
export interface WalletSigner {
  readonly address: string;
  signAuthEntry(
    preimage: string,
    options?: { networkPassphrase?: string; address?: string },
  ): Promise<{ signedAuthEntry: string; error?: { message: string } | undefined }>;
}

/** An account that makes its own signature: what its `__check_auth` takes. */
export interface AccountSigner {
  readonly address: string;
  /** @returns an `SCVal`, or its XDR in base64 where it comes from another copy of the Stellar SDK */
  sign(request: SigningRequest): Promise<xdr.ScVal | string>;
}

/** Whoever pays: a classic account by a wallet's signer, or any account by one that signs itself. */
export type UptoSigner = WalletSigner | AccountSigner;

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function byWallet(signer: WalletSigner): PaymentSigner {
  const address = parseAccountAddress(signer.address);
  if (address === undefined) {
    throw new TypeError(
      `signAuthEntry signs for classic accounts, and ${signer.address} is none: ` +
        'give an object with address and sign for a smart account.',
    );
  }
  return {
    address,
    async sign(request) {
      const { signedAuthEntry, error } = await signer.signAuthEntry(base64(request.preimage), {
        networkPassphrase: TESTNET_PASSPHRASE,
        address,
      });
      if (error !== undefined) throw new Error(`the wallet did not sign: ${error.message}`);
      return accountSigner(address, () => fromBase64(signedAuthEntry)).sign(request);
    },
  };
}

/** Takes any form of a signer. @throws TypeError when it cannot sign for its address */
export function paymentSigner(signer: UptoSigner): PaymentSigner {
  if ('signAuthEntry' in signer) return byWallet(signer);
  const address = parseStellarAddress(signer.address);
  if (address === undefined) throw new TypeError(`${signer.address} is no Stellar address.`);
  return {
    address,
    async sign(request) {
      const signature = await signer.sign(request);
      return typeof signature === 'string' ? xdr.ScVal.fromXdr(signature, 'base64') : signature;
    },
  };
}

import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  parseAccountAddress,
  parseStellarAddress,
  type StellarAddress,
  TESTNET_PASSPHRASE,
} from '../../protocol/index.ts';
import { addressBytes } from '../../protocol/stellar/index.ts';
import { NotSignedError, X402NotConfiguredError } from './errors.ts';
import { X402Error } from './x402Error.ts';

/** A request to sign one call that is valid until one ledger. */
export interface SigningRequest {
  /** SHA-256 of the authorization's preimage, against which the ledger checks the signature. */
  readonly hash: Uint8Array;
  /** The preimage itself, for wallets that hash and show what they sign (SEP-43 `signAuthEntry`). */
  readonly preimage: Uint8Array;
  /** Last ledger in which the signature is valid. */
  readonly expirationLedger: number;
}

/** A Soroban value, from any copy of the Stellar SDK. */
export interface SorobanValue {
  /** Bytes of an `SCVal`. */
  toXdr(): Uint8Array;
}

/** An account that creates its own signature. */
export interface PaymentSigner {
  /** `G…` or `C…` */
  readonly address: string;
  /** Returns the `SCVal` that the account's `__check_auth` expects, or its XDR in base64. */
  sign(request: SigningRequest): Promise<SorobanValue | string>;
}

/**
 * A signer with the interface of wallets (SEP-43) and `@x402/stellar`: Freighter is one, and
 * `createEd25519Signer` returns one. It signs the SHA-256 of the preimage, for a classic account.
 */
export interface WalletSigner {
  /** `G…` */
  readonly address: string;
  /** Signs the preimage of an authorization entry (base64 XDR). */
  signAuthEntry(
    preimage: string,
    options?: { networkPassphrase?: string; address?: string },
  ): Promise<{
    signedAuthEntry: string | null;
    error?: { message: string } | undefined;
  }>;
}

/** Returns the 64 bytes of an Ed25519 signature. The key stays with the caller. */
export type SignHash = (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A signer with its parsed address. */
export interface KnownSigner {
  readonly address: StellarAddress;
  /** @throws NotSignedError with the signer's error as its cause; an abort error stays one */
  sign(request: SigningRequest): Promise<xdr.ScVal>;
}

/**
 * Returns the signer of a classic account with one key of full weight.
 * @param address `G…`
 * @throws X402NotConfiguredError if the address or the function is missing
 * @example with an account that holds USDC
 * ```ts
 * import { accountSigner, createX402Fetch, USDC, usdc } from 'svc-x402-sdk';
 *
 * // With the Stellar SDK, sign is (hash) => Keypair.fromSecret(secret).sign(hash).
 * const pay = createX402Fetch({
 *   signer: accountSigner(address, sign),
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   allowedAssets: [USDC],
 *   maxAmount: usdc('0.01 USDC'),
 * });
 * console.log((await pay('http://127.0.0.1:4022/weather/Lima')).status); // 200
 * ```
 */
export function accountSigner(address: string, signHash: SignHash): PaymentSigner {
  const account = typeof address === 'string' ? parseAccountAddress(address) : undefined;
  if (account === undefined) {
    throw new X402NotConfiguredError(`accountSigner needs an account (G…), not ${shown(address)}.`);
  }
  requireFunction('accountSigner', signHash);
  const publicKey = addressBytes(account);
  return {
    address: account,
    // The ledger's format for signatures of classic accounts (CAP-46-11).
    async sign({ hash }) {
      const signature = checkSignature(await signHash(hash));
      return xdr.ScVal.scvVec([
        xdr.ScVal.scvMap([member('public_key', publicKey), member('signature', signature)]),
      ]);
    },
  };
}

/**
 * Reads a signer with either interface.
 * @throws X402NotConfiguredError if it cannot sign for its address
 */
export function knownSigner(signer: PaymentSigner | WalletSigner): KnownSigner {
  if ('signAuthEntry' in signer) return knownSigner(fromWallet(signer));
  const { address: given } = signer;
  const address = typeof given === 'string' ? parseStellarAddress(given) : undefined;
  if (address === undefined) {
    throw new X402NotConfiguredError(
      `The signer's address is not a Stellar address: ${shown(given)}.`,
    );
  }
  return {
    address,
    async sign(request) {
      try {
        const signature = await signer.sign(request);
        if (xdr.ScVal.is(signature)) return signature;
        return typeof signature === 'string'
          ? xdr.ScVal.fromXdr(signature, 'base64')
          : xdr.ScVal.fromXdr(signature.toXdr());
      } catch (cause) {
        throw unsigned(cause);
      }
    },
  };
}

/** Returns the error for a signer that failed; ours and abort errors stay the same. */
function unsigned(cause: unknown): unknown {
  const isAbort = cause instanceof Error && cause.name === 'AbortError';
  if (isAbort || cause instanceof X402Error) return cause;
  return new NotSignedError(cause instanceof Error ? cause.message : String(cause), { cause });
}

/** @throws X402NotConfiguredError if `signHash` is not a function */
export function requireFunction(name: string, signHash: unknown): void {
  if (typeof signHash === 'function') return;
  throw new X402NotConfiguredError(`${name} needs a function that signs a hash.`);
}

/** Describes a caller's argument for a message. Never shows more of it than an address. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 56)) : typeof value;
}

function fromWallet(signer: WalletSigner): PaymentSigner {
  const { address } = signer;
  if (typeof address !== 'string' || parseAccountAddress(address) === undefined) {
    throw new X402NotConfiguredError(
      `signAuthEntry signs for classic accounts (G…), not for ${shown(address)}. ` +
        'For a smart account pass an object with address and sign.',
    );
  }
  return {
    address,
    async sign(request) {
      const { signedAuthEntry, error } = await signer.signAuthEntry(base64(request.preimage), {
        networkPassphrase: TESTNET_PASSPHRASE,
        address,
      });
      if (error !== undefined) throw new NotSignedError(error.message, { cause: error });
      if (signedAuthEntry === null) throw new NotSignedError('no signature');
      return accountSigner(address, () => fromBase64(signedAuthEntry)).sign(request);
    },
  };
}

function checkSignature(signature: Uint8Array): Uint8Array {
  if (signature?.length === 64) return signature;
  throw new X402NotConfiguredError('signHash must return the 64 bytes of an Ed25519 signature.');
}

function member(name: string, bytes: Uint8Array): xdr.ScMapEntry {
  return new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: xdr.ScVal.scvBytes(bytes) });
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

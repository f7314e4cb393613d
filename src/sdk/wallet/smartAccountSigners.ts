import { type ContractAddress, parseContractAddress } from '../../protocol/index.ts';
import {
  accountSignature,
  type PasskeyAssertion,
  passkeySignature,
} from '../../protocol/smartAccount/index.ts';
import {
  type PaymentSigner,
  requireFunction,
  type SignHash,
  shown,
  X402NotConfiguredError,
} from '../exact/index.ts';

/**
 * Returns the signer of one Ed25519 key of a smart account, such as an agent's. The account's
 * policies limit what it may do.
 * @param wallet the smart account (`C…`)
 * @param publicKey 32 bytes
 * @throws X402NotConfiguredError if an argument is missing or malformed
 * @example with an agent that has a budget
 * ```ts
 * import { agentSigner, createX402Fetch, USDC, usdc } from 'svc-x402-sdk';
 *
 * const pay = createX402Fetch({
 *   signer: agentSigner(wallet, publicKey, sign),
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   allowedAssets: [USDC],
 *   maxAmount: usdc('0.01 USDC'),
 * });
 * console.log((await pay('http://127.0.0.1:4022/weather/Lima')).status); // 200
 * ```
 */
export function agentSigner(
  wallet: string,
  publicKey: Uint8Array,
  signHash: SignHash,
): PaymentSigner {
  const address = readWallet('agentSigner', wallet);
  if (publicKey?.length !== 32) {
    throw new X402NotConfiguredError('agentSigner needs the 32 bytes of an Ed25519 public key.');
  }
  requireFunction('agentSigner', signHash);
  return {
    address,
    async sign({ hash }) {
      const signature = await signHash(hash);
      return accountSignature([{ kind: 'ed25519', publicKey, signature }]);
    },
  };
}

/**
 * Returns the signer of a passkey of a smart account.
 * @param wallet the smart account (`C…`)
 * @param keyId id of the credential
 * @param assert asks the authenticator to sign the challenge: one prompt
 * @throws X402NotConfiguredError if an argument is missing or malformed
 * @example with a smart account and its passkey
 * ```ts
 * import { createX402Fetch, passkeySigner, USDC, usdc } from 'svc-x402-sdk';
 *
 * const pay = createX402Fetch({
 *   // askPasskey calls navigator.credentials.get() with the challenge and returns its response.
 *   signer: passkeySigner(wallet, keyId, askPasskey),
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   allowedAssets: [USDC],
 *   maxAmount: usdc('0.01 USDC'),
 * });
 * console.log((await pay('http://127.0.0.1:4022/weather/Lima')).status); // 200
 * ```
 */
export function passkeySigner(
  wallet: string,
  keyId: Uint8Array,
  assert: (challenge: Uint8Array) => PasskeyAssertion | Promise<PasskeyAssertion>,
): PaymentSigner {
  const address = readWallet('passkeySigner', wallet);
  if (!(keyId?.length > 0)) {
    throw new X402NotConfiguredError('passkeySigner needs the id of a passkey, as bytes.');
  }
  requireFunction('passkeySigner', assert);
  return {
    address,
    async sign({ hash }) {
      return accountSignature([passkeySignature(keyId, await assert(hash))]);
    },
  };
}

function readWallet(name: string, wallet: unknown): ContractAddress {
  const address = typeof wallet === 'string' ? parseContractAddress(wallet) : undefined;
  if (address !== undefined) return address;
  throw new X402NotConfiguredError(`${name} needs a smart account (C…), not ${shown(wallet)}.`);
}

import type { ContractAddress } from '../../protocol/index.ts';
import {
  accountSignature,
  type PasskeyAssertion,
  passkeySignature,
} from '../../protocol/smartAccount/index.ts';
import type { PaymentSigner } from '../exact/index.ts';

/**
 * A key of a smart account's own, as an agent has it. What it may do the account's policies say.
 * @param signHash makes the 64 bytes of an Ed25519 signature; the key stays with the caller
 */
export function agentSigner(
  wallet: ContractAddress,
  publicKey: Uint8Array,
  signHash: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): PaymentSigner {
  return {
    address: wallet,
    async sign({ hash }) {
      const signature = await signHash(hash);
      return accountSignature([{ kind: 'ed25519', publicKey, signature }]);
    },
  };
}

/**
 * A passkey of a smart account.
 * @param assert asks the authenticator to sign the challenge: one prompt
 */
export function passkeySigner(
  wallet: ContractAddress,
  keyId: Uint8Array,
  assert: (challenge: Uint8Array) => PasskeyAssertion | Promise<PasskeyAssertion>,
): PaymentSigner {
  return {
    address: wallet,
    async sign({ hash }) {
      return accountSignature([passkeySignature(keyId, await assert(hash))]);
    },
  };
}

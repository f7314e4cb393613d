import {
  type ContractAddress,
  decodeStrKey,
  parseAccountAddress,
  parseContractAddress,
} from '../../protocol/index.ts';
import type { AllowListDefinition, MultisigDefinition } from '../../protocol/policies/index.ts';
import { type SignerKey, toSigner } from '../../protocol/smartAccount/index.ts';
import { PoliciesNotConfiguredError } from './errors.ts';

/**
 * Returns the key with the limits of a definition, as `add_signer` takes it; base64 XDR. It is built from the
 * definition alone: a gateway's version of it is not read.
 * @throws PoliciesNotConfiguredError for a malformed address
 */
export function limitedKey(definition: MultisigDefinition | AllowListDefinition): string {
  const coSigners = definition.type === 'multisig' ? definition.coSigners : [];
  const approvers = coSigners.length === 0 ? null : coSigners.map(ed25519);
  const grants = new Map(definition.contracts.map((text) => [contract(text), approvers]));
  const key = ed25519(definition.signer);
  return toSigner({ key, grants, expirationLedger: null, storage: 'Persistent' }).toXdr('base64');
}

function ed25519(text: string): SignerKey {
  const account = parseAccountAddress(text);
  const publicKey = account && decodeStrKey('account', account);
  if (publicKey === undefined) throw new PoliciesNotConfiguredError(`${text} is not a key (G…).`);
  return { kind: 'ed25519', publicKey };
}

function contract(text: string): ContractAddress {
  const address = parseContractAddress(text);
  if (address === undefined)
    throw new PoliciesNotConfiguredError(`${text} is not a contract (C…).`);
  return address;
}

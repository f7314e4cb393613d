import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../protocol/index.ts';
import type { GeneratedPolicy } from '../../../protocol/policies/index.ts';
import {
  readSignerKey,
  type SignerKey,
  signerEntryKeys,
  signerParts,
} from '../../../protocol/smartAccount/index.ts';

/** The signer that puts a policy into effect in a wallet: the policy's contract, or a key with its limits. */
export interface AttachedSigner {
  /** The two ledger keys under which the wallet might store it: it is under one of them. */
  readonly entries: readonly [persistent: xdr.LedgerKey, temporary: xdr.LedgerKey];
  /** Whether the argument of an `add_signer` call is this signer. */
  isGiven(argument: xdr.ScVal | undefined): boolean;
  /** Whether an entry of the wallet contains it. */
  isHeld(entry: xdr.LedgerEntryData | undefined): boolean;
}

/**
 * A policy with a contract is identified by the contract's address: the signer's other values limit nothing. A key's limits are
 * its policy: the same key with other limits is another policy.
 */
export function attachedSigner({ wallet, contract, attach }: GeneratedPolicy): AttachedSigner {
  const account = wallet as ContractAddress;
  if (contract !== null) {
    const policy = contract.contractId as ContractAddress;
    return {
      entries: signerEntryKeys(account, { kind: 'policy', policy }),
      isGiven(argument) {
        const key = nameOf(argument);
        return key?.kind === 'policy' && key.policy === policy;
      },
      isHeld: (entry) => entry !== undefined,
    };
  }
  const signer = xdr.ScVal.fromXdr(attach.signerXdr, 'base64');
  const parts = signerParts(signer);
  const key = nameOf(signer);
  if (parts === undefined || key === undefined) throw new TypeError('a policy limits a key');
  const value = parts.value.toXdr('base64');
  return {
    entries: signerEntryKeys(account, key),
    isGiven: (argument) => argument?.toXdr('base64') === attach.signerXdr,
    isHeld: (entry) =>
      entry?.type === 'contractData' && entry.contractData.val.toXdr('base64') === value,
  };
}

/** A signer begins like its key: with kind and name. */
function nameOf(signer: xdr.ScVal | undefined): SignerKey | undefined {
  const parts = signer?.type === 'scvVec' ? (signer.vec ?? []) : [];
  return readSignerKey(xdr.ScVal.scvVec(parts.slice(0, 2)));
}

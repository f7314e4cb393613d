import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress, ContractAddress } from '../../../common/address.ts';
import { toScAddress } from '../stellar/index.ts';

/**
 * The values from which a policy's id and address are derived. The gateway that deploys a policy and the client that checks the
 * gateway share this derivation; each computes SHA-256 with its platform's own function.
 */
export interface PolicyOrigin {
  readonly type: string;
  readonly wallet: ContractAddress;
  /** The key (`G…`) that the policy applies to; `null` for every key. */
  readonly agent: string | null;
}

const encoder = new TextEncoder();

/**
 * Returns the hash input for the id of a policy that has a contract. The same definition in the same setting always gives the
 * same policy.
 * @param module SHA-256 of the contract's module
 * @param args arguments of its constructor
 */
export function policyIdInput(
  origin: PolicyOrigin,
  module: Uint8Array,
  args: readonly xdr.ScVal[],
): Uint8Array {
  return joined([policyIdPrefix(origin), module, ...args.map((value) => value.toXdr())]);
}

/** Returns the prefix of the hash input for any policy's id. */
export function policyIdPrefix({ type, wallet, agent }: PolicyOrigin): Uint8Array {
  return encoder.encode(`${type} ${wallet}${agent === null ? '' : ` for ${agent}`}`);
}

/** Returns a policy's id. @param hash of {@link policyIdInput} */
export function policyIdOf(hash: Uint8Array): string {
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `pol_${hex.slice(0, 32)}`;
}

/** Returns the hash input for the salt in the address of a policy's contract. */
export function policySaltInput(id: string): Uint8Array {
  return encoder.encode(`svc-x402 policy ${id}`);
}

/** Returns the origin of a contract: its deployer and a salt. */
export function deployedBy(deployer: AccountAddress, salt: Uint8Array): xdr.ContractIdPreimage {
  return xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address: toScAddress(deployer), salt }),
  );
}

/** Returns the hash input for a contract's address (CAP-46-02). @param networkId SHA-256 of the network's passphrase */
export function contractIdInput(
  contractIdPreimage: xdr.ContractIdPreimage,
  networkId: Uint8Array,
): Uint8Array {
  return xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({ networkId, contractIdPreimage }),
  ).toXdr();
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type AccountAddress,
  type ContractAddress,
  TESTNET_PASSPHRASE,
} from '../../protocol/index.ts';
import { contractIdInput, deployedBy, policySaltInput } from '../../protocol/policies/index.ts';
import { contractAddressOf } from '../../protocol/stellar/index.ts';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const NETWORK_ID = sha256(TESTNET_PASSPHRASE);

/** Returns the address of a contract of this origin. */
export function contractIdOf(contractIdPreimage: xdr.ContractIdPreimage): ContractAddress {
  return contractAddressOf(sha256(contractIdInput(contractIdPreimage, NETWORK_ID)));
}

/** Returns the origin of a policy's contract, its deployer and the policy's id, which determines its address. */
export function policyPreimage(deployer: AccountAddress, id: string): xdr.ContractIdPreimage {
  return deployedBy(deployer, sha256(policySaltInput(id)));
}

/** Returns the origin of a smart account: its deployer and its first passkey. */
export function accountPreimage(
  deployer: AccountAddress,
  keyId: Uint8Array,
): xdr.ContractIdPreimage {
  return deployedBy(deployer, sha256(`svc-x402 account ${Buffer.from(keyId).toString('hex')}`));
}

/** Returns the address of a policy's contract. It is known before the deployment, so it is deployed only once. */
export function policyContractId(deployer: AccountAddress, id: string): ContractAddress {
  return contractIdOf(policyPreimage(deployer, id));
}

/** Returns the ledger key of a module. */
export function moduleKey(hash: Uint8Array): xdr.LedgerKey {
  return xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }));
}

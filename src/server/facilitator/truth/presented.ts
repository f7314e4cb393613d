import * as xdr from '@stellar/stellar-sdk/xdr';
import { type Carried, carriedBy, type SignedTransfer } from '../../../protocol/fate/index.ts';
import type { ContractAddress, StellarAddress } from '../../../protocol/index.ts';
import {
  type AuthorizationKey,
  authorizationKey,
  invokedContract,
  readUptoCall,
  type UptoCall,
  uptoAuthorizationKey,
} from '../../../protocol/stellar/index.ts';
import { judgeEntry, type SignatureVerdict } from '../payment/index.ts';

/** The authorization in a payload, which identifies the payment whatever a seller requires. */
export interface PresentedAuthorization {
  readonly key: AuthorizationKey;
  readonly payer: StellarAddress;
  readonly signature: SignatureVerdict;
  /** What it pays for: the transfer that it authorizes, or the call of the contract that settles scheme `upto`. */
  readonly pays:
    | { readonly by: 'transfer'; readonly transfer: SignedTransfer }
    | {
        readonly by: 'upto';
        readonly call: UptoCall;
        readonly expirationLedger: number;
      };
}

/** Returns the call of `settle` that an entry authorizes; its signed form lacks the actual amount and the hook. */
function uptoCallOf({ entry }: Carried, contract: ContractAddress): UptoCall | undefined {
  const { function: root } = entry.rootInvocation;
  if (root.type !== 'sorobanAuthorizedFunctionTypeContractFn') return undefined;
  if (invokedContract(root.contractFn) !== contract) return undefined;
  const actualAmount = root.contractFn.args[3];
  if (actualAmount === undefined) return undefined;
  const args = [...root.contractFn.args, actualAmount, xdr.ScVal.scvVoid()];
  const read = readUptoCall(contract, new xdr.InvokeContractArgs({ ...root.contractFn, args }));
  return read.ok ? read.call : undefined;
}

function presentedBy(
  carried: Carried,
  uptoContract: ContractAddress | undefined,
): PresentedAuthorization | undefined {
  const { address, nonce, transfer } = carried;
  if (address === undefined) return undefined;
  const signature = judgeEntry(carried.entry, address);
  if (transfer?.from === address) {
    const key = authorizationKey(address, nonce);
    return { key, payer: address, signature, pays: { by: 'transfer', transfer } };
  }
  const call = uptoContract === undefined ? undefined : uptoCallOf(carried, uptoContract);
  if (call?.from !== address) return undefined;
  const key = uptoAuthorizationKey(address, call.contract, call.nonce);
  const expirationLedger = Math.min(carried.expirationLedger, call.expirationLedger);
  return { key, payer: address, signature, pays: { by: 'upto', call, expirationLedger } };
}

/** Whether the ledger might accept the signatures. */
export function mayBeValid(signature: SignatureVerdict): boolean {
  return signature === 'valid' || signature === 'unchecked';
}

/**
 * Reads the payer's authorization in an envelope, however little the rest of it is a payment.
 *
 * @param envelope base64 XDR
 * @param uptoContract the served contract of scheme `upto`
 * @returns `undefined` if there is none that could pay
 */
export function readPresented(
  envelope: unknown,
  uptoContract: ContractAddress | undefined,
): PresentedAuthorization | undefined {
  if (typeof envelope !== 'string') return undefined;
  const all = carriedBy(envelope).flatMap((one) => presentedBy(one, uptoContract) ?? []);
  return all.find(({ signature }) => mayBeValid(signature)) ?? all[0];
}

import * as xdr from '@stellar/stellar-sdk/xdr';
import { type ContractAddress, TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import { toScAddress } from '../../protocol/stellar/index.ts';
import {
  freshNonce,
  type KnownSigner,
  NULL_ACCOUNT,
  type Platform,
  type SorobanRpc,
  signAuthorization,
  succeed,
  transferEnvelope,
} from '../exact/index.ts';

/** A call that the wallet's owner has signed, for the account that submits and pays for it. All base64 XDR. */
export interface SignedWalletCall {
  /** `HostFunction` */
  readonly func: string;
  /** `SorobanAuthorizationEntry`, one. */
  readonly auth: readonly string[];
  /** The same call as an unsigned transaction without an owner: set your own source, sequence number and fee. */
  readonly transaction: string;
  /** Last ledger in which the call can be executed. */
  readonly expirationLedger: number;
}

/** Submits a signed call and pays for it. Returns the transaction's hash. */
export type SubmitCall = (call: SignedWalletCall) => Promise<{ readonly hash: string } | string>;

/** Number of ledgers in which the signature is valid: some minutes. */
const LIFE_LEDGERS = 60;

/**
 * Signs one call of a wallet's own function, or of a policy of the wallet. The authorization is built here, for this call and
 * without sub-invocations: anything that a contract calls in the wallet's name fails on the ledger. The call is simulated
 * before the owner is asked, and again with the signature.
 * @throws CannotPayError if the ledger would not execute it, RpcFailedError
 */
export async function signWalletCall(
  contract: ContractAddress,
  functionName: string,
  args: readonly xdr.ScVal[],
  parts: { readonly owner: KnownSigner; readonly rpc: SorobanRpc; readonly platform: Platform },
): Promise<SignedWalletCall> {
  const { owner, rpc, platform } = parts;
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: toScAddress(contract),
    functionName,
    args: [...args],
  });
  const draft = { source: NULL_ACCOUNT, invocation, now: Date.now() / 1000 };
  const tried = succeed(await rpc.simulate(transferEnvelope({ ...draft, authorizations: [] })));
  const expirationLedger = tried.latestLedger + LIFE_LEDGERS;
  const entry = await signAuthorization(
    {
      kind: 'address',
      nonce: freshNonce(platform),
      expirationLedger,
      invocation,
    },
    owner,
    TESTNET_PASSPHRASE,
    platform,
  );
  const transaction = transferEnvelope({ ...draft, authorizations: [entry] });
  succeed(await rpc.simulate(transaction));
  return {
    func: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation).toXdr('base64'),
    auth: [entry.toXdr('base64')],
    transaction,
    expirationLedger,
  };
}

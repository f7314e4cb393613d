import { createHash, randomBytes } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { type ContractAddress, TESTNET_PASSPHRASE } from '../../../protocol/index.ts';
import {
  accountSignature,
  explainRefusal,
  type PasskeyAssertion,
  passkeySignature,
} from '../../../protocol/smartAccount/index.ts';
import { authorizationPreimage, toScAddress } from '../../../protocol/stellar/index.ts';
import {
  firstLine,
  type SponsorTools,
  simulateAsSponsor,
} from '../deployment/sponsorTransaction.ts';
import { reaching } from '../reaching.ts';
import { PasskeyError, type PasskeyErrorCode } from './passkeyError.ts';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const NETWORK_ID = sha256(TESTNET_PASSPHRASE);
/** Number of ledgers for which the signature is valid; on testnet, longer than a request stays open. */
const LIFE_LEDGERS = 90;

/** A call that a wallet authorizes. */
export interface WalletCall {
  readonly wallet: ContractAddress;
  readonly invocation: xdr.InvokeContractArgs;
}

/** A call of a wallet's own function, which only owners may make. */
export function ownerCall(
  wallet: ContractAddress,
  name: 'add_signer' | 'remove_signer',
  argument: xdr.ScVal,
): WalletCall {
  const contractAddress = toScAddress(wallet);
  const invocation = new xdr.InvokeContractArgs({
    contractAddress,
    functionName: name,
    args: [argument],
  });
  return { wallet, invocation };
}

export interface SignedCall {
  readonly operation: xdr.Operation;
  readonly entry: xdr.SorobanAuthorizationEntry;
}

export interface PreparedCall {
  /** The hash of this call's authorization, which the passkey signs. */
  readonly challenge: Uint8Array;
  /** The authorization with the passkey's signature, tested by a simulation. */
  sign(keyId: Uint8Array, assertion: PasskeyAssertion): Promise<SignedCall>;
}

/**
 * Simulates a call without a signature, so that a failure is reported before anybody is prompted, and
 * builds the authorization: for this call only, without sub-invocations, once, for some minutes.
 * @throws PasskeyError `call_refused`, PolicyError `ledger_unavailable`
 */
export async function prepareCall(
  { wallet, invocation }: WalletCall,
  tools: SponsorTools,
): Promise<PreparedCall> {
  await attempt(operationOf(invocation, []), 'call_refused', tools);
  const latest = await reaching(() => tools.network.getLatestLedger());
  const nonce = randomBytes(8).readBigInt64BE();
  const entry = (signature: xdr.ScVal) =>
    new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
        new xdr.SorobanAddressCredentials({
          address: toScAddress(wallet),
          nonce,
          signatureExpirationLedger: latest + LIFE_LEDGERS,
          signature,
        }),
      ),
      rootInvocation: new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
        subInvocations: [],
      }),
    });
  return {
    challenge: sha256(authorizationPreimage(entry(xdr.ScVal.scvVoid()), NETWORK_ID)),
    async sign(keyId, assertion) {
      let signature: xdr.ScVal;
      try {
        signature = accountSignature([passkeySignature(keyId, assertion)]);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        throw new PasskeyError('signature_refused', error.message);
      }
      const signed = entry(signature);
      const operation = operationOf(invocation, [signed]);
      await attempt(operation, 'signature_refused', tools);
      return { operation, entry: signed };
    },
  };
}

function operationOf(
  invocation: xdr.InvokeContractArgs,
  auth: xdr.SorobanAuthorizationEntry[],
): xdr.Operation {
  const hostFunction = xdr.HostFunction.hostFunctionTypeInvokeContract(invocation);
  return new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({ hostFunction, auth }),
    ),
  });
}

/** Simulates the call: one that the network would not execute is not submitted. */
async function attempt(
  operation: xdr.Operation,
  code: PasskeyErrorCode,
  tools: SponsorTools,
): Promise<void> {
  const simulation = await simulateAsSponsor(operation, tools);
  if (simulation.status === 'success') return;
  const refusal = explainRefusal(simulation.error);
  throw new PasskeyError(code, refusal?.message ?? firstLine(simulation.error));
}

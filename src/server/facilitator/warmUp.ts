import { randomBytes } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type ContractAddress,
  parseStellarAddress,
  STELLAR_TESTNET,
  type StellarAddress,
  X402_VERSION,
  XLM_CONTRACT,
} from '../../protocol/index.ts';
import { accountAddressOf, toScAddress, transferInvocation } from '../../protocol/stellar/index.ts';
import { type FacilitatorRequest, parseFacilitatorRequest } from '../../protocol/wire/index.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import { prepareExact } from './schemes/index.ts';

function authorizationOf(
  payer: StellarAddress,
  invocation: xdr.InvokeContractArgs,
): xdr.SorobanAuthorizationEntry {
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
      new xdr.SorobanAddressCredentials({
        address: toScAddress(payer),
        nonce: 1n,
        signatureExpirationLedger: 1,
        signature: xdr.ScVal.scvBytes(randomBytes(64)),
      }),
    ),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
      subInvocations: [],
    }),
  });
}

/** Returns a transfer of one stroop in an unsigned envelope, which no ledger would accept. */
function transferEnvelope(
  asset: ContractAddress,
  from: StellarAddress,
  to: StellarAddress,
  authorized: boolean,
): string {
  const invocation = transferInvocation({ asset, from, to, amount: 1n });
  const operation = new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({
        hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
        auth: authorized ? [authorizationOf(from, invocation)] : [],
      }),
    ),
  });
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(new Uint8Array(32)),
    fee: 100,
    seqNum: 0n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [operation],
    ext: xdr.TransactionExt.v0(),
  });
  const envelope = new xdr.TransactionV1Envelope({ tx, signatures: [] });
  return xdr.TransactionEnvelope.envelopeTypeTx(envelope).toXdr('base64');
}

/**
 * Runs the code path of a payment once, so that it is compiled before the first buyer waits for it: a
 * made-up payment is read and checked, and a transfer is simulated. Nothing is signed, sent or
 * recorded, and failures are ignored.
 * @param sponsorAddress an account that exists
 */
export async function warmUp(network: StellarNetwork, sponsorAddress: string): Promise<void> {
  const asset = XLM_CONTRACT;
  const sponsor = parseStellarAddress(sponsorAddress);
  if (sponsor === undefined) return;
  const payer = accountAddressOf(randomBytes(32));
  const requirements = {
    scheme: 'exact',
    network: STELLAR_TESTNET,
    asset,
    amount: '1',
    payTo: sponsor,
    maxTimeoutSeconds: 60,
  };
  const request: FacilitatorRequest = {
    x402Version: X402_VERSION,
    paymentPayload: {
      x402Version: X402_VERSION,
      accepted: requirements,
      payload: { transaction: transferEnvelope(asset, payer, sponsor, true) },
    },
    paymentRequirements: requirements,
  };
  const parsed = parseFacilitatorRequest(request);
  if (parsed.ok) prepareExact(parsed.request, new Set());
  try {
    await network.simulate(transferEnvelope(asset, sponsor, sponsor, false));
  } catch (error) {
    // If the ledger is unavailable now, the next payment that needs it reports that.
    if (!(error instanceof RpcError)) throw error;
  }
}

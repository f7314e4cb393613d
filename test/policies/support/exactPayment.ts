import { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress, StellarAddress } from '../../../src/protocol/index.ts';
import { toI128, toScAddress } from '../../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../../src/protocol/wire/index.ts';
import { freshNonce } from '../../support/freshPayment.ts';
import { paymentRequest, USDC } from '../../support/payment.ts';
import { type Chain, type SignHash, signEntry } from './chain.ts';

const address = (value: StellarAddress) => xdr.ScVal.scvAddress(toScAddress(value));

/** Makes a payment of scheme `exact` in USDC by a contract account, of whatever module, that signs by `sign`. */
export async function exactPayment(
  chain: Chain,
  {
    from,
    payTo,
    amount,
    fee = 400_000,
  }: {
    readonly from: ContractAddress;
    readonly payTo: StellarAddress;
    readonly amount: bigint;
    /** What the payment offers, in stroops; the facilitator bids what it finds to be needed. */
    readonly fee?: number;
  },
  sign: SignHash,
): Promise<FacilitatorRequest> {
  const expirationLedger = (await chain.latestLedger()) + 50;
  const nonce = freshNonce();
  const call = new xdr.InvokeContractArgs({
    contractAddress: toScAddress(USDC),
    functionName: 'transfer',
    args: [address(from), address(payTo), toI128(amount)],
  });
  const root = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
    subInvocations: [],
  });
  const unsigned = new xdr.SorobanAddressCredentials({
    address: toScAddress(from),
    nonce,
    signatureExpirationLedger: expirationLedger,
    signature: xdr.ScVal.scvVoid(),
  });
  const { credentials } = await signEntry(unsigned, root, chain.networkId, sign);
  if (credentials.type !== 'sorobanCredentialsAddress') throw new TypeError('another kind');
  const { signature } = credentials.address;
  return paymentRequest({
    from,
    to: toScAddress(payTo),
    amount,
    fee,
    entries: [{ by: from, signature, nonce, expirationLedger }],
    requirements: { payTo, amount: `${amount}` },
  });
}

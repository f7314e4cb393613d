import { xdr } from '@stellar/stellar-sdk';
import { type LocalKey, NATIVE, USDC } from '../genesis/index.ts';
import { assetContractId } from '../transaction/events/index.ts';
import { ParsedTransaction } from '../transaction/index.ts';

/** The amount that testnet's friendbot gives, in stroops. */
export const STARTING_BALANCE = 100_000_000_000n;

/** The account and key with which friendbot signs its transactions. */
export interface FundingSource {
  readonly networkId: Uint8Array;
  readonly key: LocalKey;
  /** The sequence number of the transaction. */
  readonly sequence: bigint;
  readonly baseFee: number;
}

/** An account that gets the starting balance. */
export interface FundedAccount {
  readonly account: xdr.PublicKey;
  /** Whether it already exists and is therefore paid instead of created. */
  readonly exists: boolean;
}

/** A signed transaction that creates or pays accounts, with one operation each. */
export function fundingTransaction(
  source: FundingSource,
  accounts: readonly FundedAccount[],
): xdr.TransactionEnvelope {
  return signed(source, {
    fee: source.baseFee * accounts.length,
    operations: accounts.map(fundingOperation),
  });
}

/**
 * The call by which an asset's contract transfers an amount to a contract.
 * @param units atomic units of the asset
 */
export function contractFunding(
  { networkId, key }: Pick<FundingSource, 'networkId' | 'key'>,
  contract: xdr.ScAddress,
  asset: xdr.Asset,
  units: bigint,
): xdr.HostFunction {
  const from = xdr.ScAddress.scAddressTypeAccount(key.publicKey);
  const amount = new xdr.Int128Parts({ hi: 0n, lo: units });
  return xdr.HostFunction.hostFunctionTypeInvokeContract(
    new xdr.InvokeContractArgs({
      contractAddress: xdr.ScAddress.scAddressTypeContract(assetContractId(networkId, asset)),
      functionName: 'transfer',
      args: [xdr.ScVal.scvAddress(from), xdr.ScVal.scvAddress(contract), xdr.ScVal.scvI128(amount)],
    }),
  );
}

/** What a contract call needs, according to a simulation. */
export interface InvocationNeeds {
  readonly auth: readonly xdr.SorobanAuthorizationEntry[];
  readonly data: xdr.SorobanTransactionData;
  /** In stroops. */
  readonly resourceFee: bigint;
}

/** A signed transaction that calls a contract. */
export function invocationTransaction(
  source: FundingSource,
  hostFunction: xdr.HostFunction,
  { auth, data, resourceFee }: InvocationNeeds,
): xdr.TransactionEnvelope {
  const body = xdr.OperationBody.invokeHostFunction(
    new xdr.InvokeHostFunctionOp({ hostFunction, auth: [...auth] }),
  );
  return signed(source, {
    fee: source.baseFee + Number(resourceFee),
    operations: [new xdr.Operation({ sourceAccount: null, body })],
    ext: xdr.TransactionExt.sorobanData(new xdr.SorobanTransactionData({ ...data, resourceFee })),
  });
}

/** Maximum price that friendbot pays for 1 USDC, in XLM. */
const MAX_PRICE = 100n;
const MAX_USDC = (1n << 63n) - 1n;

/**
 * A signed transaction that buys USDC from the market maker for an account.
 * @param units atomic units of USDC
 * @param opensTrustline whether friendbot opens a trustline first: it buys for itself what it passes on to contracts
 */
export function usdcTransaction(
  source: FundingSource,
  to: xdr.PublicKey,
  units: bigint,
  opensTrustline: boolean,
): xdr.TransactionEnvelope {
  const trust = xdr.OperationBody.changeTrust(
    new xdr.ChangeTrustOp({
      line: xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(USDC.alphaNum4),
      limit: MAX_USDC,
    }),
  );
  const buy = xdr.OperationBody.pathPaymentStrictReceive(
    new xdr.PathPaymentStrictReceiveOp({
      sendAsset: NATIVE,
      sendMax: units * MAX_PRICE,
      destination: xdr.MuxedAccount.keyTypeEd25519(to.ed25519.value),
      destAsset: USDC,
      destAmount: units,
      path: [],
    }),
  );
  const bodies = opensTrustline ? [trust, buy] : [buy];
  return signed(source, {
    fee: source.baseFee * bodies.length,
    operations: bodies.map((body) => new xdr.Operation({ sourceAccount: null, body })),
  });
}

function fundingOperation({ account, exists }: FundedAccount): xdr.Operation {
  const body = exists
    ? xdr.OperationBody.payment(
        new xdr.PaymentOp({
          destination: xdr.MuxedAccount.keyTypeEd25519(account.ed25519.value),
          asset: NATIVE,
          amount: STARTING_BALANCE,
        }),
      )
    : xdr.OperationBody.createAccount(
        new xdr.CreateAccountOp({ destination: account, startingBalance: STARTING_BALANCE }),
      );
  return new xdr.Operation({ sourceAccount: null, body });
}

function signed(
  { networkId, key, sequence }: FundingSource,
  parts: Pick<xdr.Transaction, 'fee' | 'operations'> & Partial<Pick<xdr.Transaction, 'ext'>>,
): xdr.TransactionEnvelope {
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(key.publicKey.ed25519.value),
    seqNum: sequence,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    ext: xdr.TransactionExt.v0(),
    ...parts,
  });
  const { hash } = new ParsedTransaction(networkId, envelopeOf(tx, []));
  return envelopeOf(tx, [key.decorate(hash)]);
}

function envelopeOf(
  tx: xdr.Transaction,
  signatures: xdr.DecoratedSignature[],
): xdr.TransactionEnvelope {
  return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures }));
}

import { createHash, randomBytes } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { STELLAR_TESTNET, TESTNET_PASSPHRASE } from '../../src/protocol/index.ts';
import {
  authorizationPreimage,
  contractAddressOf,
  toScAddress,
  type UptoTerms,
  uptoAuthorizedInvocation,
  uptoInvocation,
} from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest, PaymentRequirements } from '../../src/protocol/wire/index.ts';
import type { LocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { accountSignature, PAYER, SELLER, USDC } from '../support/payment.ts';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** A settlement contract that unit tests speak of. */
export const CONTRACT = contractAddressOf(Buffer.alloc(32, 9));
/** 1.00 of a Stellar asset. */
export const CEILING = 10_000_000n;
/** 0.37 of it. */
export const ACTUAL = 3_700_000n;

/** How an `upto` payment is made; by default it is valid. */
export interface UptoParts {
  readonly terms?: Partial<UptoTerms>;
  /** The argument for the actual amount in the buyer's envelope. */
  readonly written?: bigint;
  /** What becomes of the arguments of the call. */
  readonly args?: (args: readonly xdr.ScVal[]) => readonly xdr.ScVal[];
  readonly functionName?: string;
  readonly called?: UptoTerms['contract'];
  /** `null` leaves the entry unsigned. */
  readonly signer?: TestKey | null;
  /** Signature of another kind than a classic account's. */
  readonly signature?: xdr.ScVal;
  readonly kind?: 'address' | 'addressV2';
  readonly signatureExpiration?: number;
  /** What becomes of the tree that is signed. */
  readonly tree?: (tree: xdr.SorobanAuthorizedInvocation) => xdr.SorobanAuthorizedInvocation;
  /** What becomes of the entries. */
  readonly entries?: (
    entry: xdr.SorobanAuthorizationEntry,
  ) => readonly xdr.SorobanAuthorizationEntry[];
  readonly source?: Uint8Array;
  readonly operations?: (operation: xdr.Operation) => xdr.Operation[];
  readonly requirements?: Partial<PaymentRequirements>;
  readonly accepted?: Partial<PaymentRequirements>;
  readonly extra?: Record<string, unknown>;
  readonly transaction?: unknown;
}

/** The terms that `parts` come to. */
export function uptoTerms({ terms = {} }: UptoParts = {}): UptoTerms {
  return {
    contract: CONTRACT,
    token: USDC,
    from: PAYER.address,
    to: SELLER.address,
    maxAmount: CEILING,
    expirationLedger: 1_050,
    nonce: new Uint8Array(32).fill(7),
    ...terms,
  };
}

function credentials(kind: 'address' | 'addressV2', of: xdr.SorobanAddressCredentials) {
  return kind === 'address'
    ? xdr.SorobanCredentials.sorobanCredentialsAddress(of)
    : xdr.SorobanCredentials.sorobanCredentialsAddressV2(of);
}

/** The payer's entry, signed. */
export function uptoEntry(parts: UptoParts = {}): xdr.SorobanAuthorizationEntry {
  const terms = uptoTerms(parts);
  const tree = uptoAuthorizedInvocation(terms);
  const rootInvocation = parts.tree?.(tree) ?? tree;
  const unsigned = new xdr.SorobanAddressCredentials({
    address: toScAddress(terms.from),
    nonce: randomBytes(8).readBigInt64BE(),
    signatureExpirationLedger: parts.signatureExpiration ?? terms.expirationLedger,
    signature: xdr.ScVal.scvVoid(),
  });
  const kind = parts.kind ?? 'address';
  const entry = (signature: xdr.ScVal) =>
    new xdr.SorobanAuthorizationEntry({
      credentials: credentials(kind, new xdr.SorobanAddressCredentials({ ...unsigned, signature })),
      rootInvocation,
    });
  if (parts.signature !== undefined) return entry(parts.signature);
  const signer = parts.signer === undefined ? PAYER : parts.signer;
  if (signer === null) return entry(xdr.ScVal.scvVoid());
  const preimage = authorizationPreimage(entry(xdr.ScVal.scvVoid()), NETWORK_ID);
  return entry(accountSignature(signer, createHash('sha256').update(preimage).digest()));
}

/** The buyer's unsigned envelope, base64. */
export function uptoEnvelope(parts: UptoParts = {}): string {
  const terms = uptoTerms(parts);
  const right = uptoInvocation(terms, parts.written ?? terms.maxAmount);
  const call = new xdr.InvokeContractArgs({
    contractAddress: toScAddress(parts.called ?? terms.contract),
    functionName: parts.functionName ?? right.functionName.toString(),
    args: [...(parts.args?.(right.args) ?? right.args)],
  });
  const entry = uptoEntry(parts);
  const operation = new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({
        hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(call),
        auth: [...(parts.entries?.(entry) ?? [entry])],
      }),
    ),
  });
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(parts.source ?? new Uint8Array(32)),
    fee: 100,
    seqNum: 0n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: parts.operations?.(operation) ?? [operation],
    ext: xdr.TransactionExt.v0(),
  });
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx, signatures: [] }),
  ).toXdr('base64');
}

/** The request of `/verify` and `/settle`. */
export function uptoRequest(parts: UptoParts = {}): FacilitatorRequest {
  const terms = uptoTerms(parts);
  const paymentRequirements: PaymentRequirements = {
    scheme: 'upto',
    network: STELLAR_TESTNET,
    asset: USDC,
    amount: terms.maxAmount.toString(),
    payTo: SELLER.address,
    maxTimeoutSeconds: 300,
    extra: { areFeesSponsored: true, uptoContract: CONTRACT },
    ...parts.requirements,
  };
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      accepted: {
        ...paymentRequirements,
        amount: terms.maxAmount.toString(),
        ...parts.accepted,
      },
      payload: {
        transaction: 'transaction' in parts ? parts.transaction : uptoEnvelope(parts),
      },
    },
    paymentRequirements: {
      ...paymentRequirements,
      extra: { ...paymentRequirements.extra, ...parts.extra },
    },
  };
}

/** The settlement contract of a network. */
export function contractOf({ ledger }: LocalNetwork): UptoTerms['contract'] {
  if (ledger.contracts.upto === null) throw new Error('the network has no settlement contract');
  return ledger.contracts.upto as UptoTerms['contract'];
}

/** A payment between accounts of a network that settles, except for the faults in `parts`. */
export async function freshUpto(
  local: LocalNetwork,
  payer: TestKey,
  payTo: TestKey,
  parts: UptoParts = {},
): Promise<FacilitatorRequest> {
  const contract = contractOf(local);
  const right: UptoParts = {
    signer: payer,
    ...parts,
    terms: {
      contract,
      from: payer.address,
      to: payTo.address,
      nonce: randomBytes(32),
      expirationLedger: (await local.network.getLatestLedger()) + 1_000,
      ...parts.terms,
    },
    requirements: {
      payTo: payTo.address,
      extra: { areFeesSponsored: true, uptoContract: contract },
      ...parts.requirements,
    },
  };
  return uptoRequest(right);
}

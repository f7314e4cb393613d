import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type ContractAddress,
  STELLAR_TESTNET,
  type StellarAddress,
  TESTNET_PASSPHRASE,
  USDC_CONTRACT,
} from '../../src/protocol/index.ts';
import {
  authorizationPreimage,
  contractAddressOf,
  toI128,
  toScAddress,
} from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest, PaymentRequirements } from '../../src/protocol/wire/index.ts';
import { type TestKey, testKey } from './payer.ts';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** The contract of testnet USDC. */
export const USDC = USDC_CONTRACT;
export const OTHER_ASSET = contractAddressOf(Buffer.alloc(32, 7));
export const PAYER = testKey('payer');
export const SELLER = testKey('seller');
export const STRANGER = testKey('stranger');

/** How an authorization entry is made. */
export interface EntryParts {
  readonly kind?: 'address' | 'addressV2' | 'sourceAccount' | 'delegated';
  readonly by?: StellarAddress;
  /** `null` leaves the entry unsigned. */
  readonly signer?: TestKey | null;
  /** A signature of another kind than a classic account's. */
  readonly signature?: xdr.ScVal;
  readonly nonce?: bigint;
  readonly expirationLedger?: number;
  readonly invocation?: xdr.InvokeContractArgs;
  readonly subInvocations?: readonly xdr.InvokeContractArgs[];
}

/** How a payment is made; by default it is valid. */
export interface PaymentParts {
  readonly asset?: ContractAddress;
  readonly functionName?: string;
  readonly from?: StellarAddress;
  readonly to?: xdr.ScAddress;
  readonly amount?: bigint;
  readonly args?: readonly xdr.ScVal[];
  readonly entries?: readonly EntryParts[];
  readonly source?: Uint8Array;
  readonly operationSource?: Uint8Array;
  readonly operations?: (operation: xdr.Operation) => xdr.Operation[];
  readonly fee?: number;
  /** Without the time bounds that the canonical client writes and nobody reads. */
  readonly timeless?: boolean;
  readonly resources?: xdr.SorobanTransactionData;
  readonly requirements?: Partial<PaymentRequirements>;
  readonly accepted?: Partial<PaymentRequirements>;
  readonly x402Version?: number;
}

export function invocation(parts: PaymentParts = {}): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: toScAddress(parts.asset ?? USDC),
    functionName: parts.functionName ?? 'transfer',
    args: [
      ...(parts.args ?? [
        xdr.ScVal.scvAddress(toScAddress(parts.from ?? PAYER.address)),
        xdr.ScVal.scvAddress(parts.to ?? toScAddress(SELLER.address)),
        toI128(parts.amount ?? 100_000n),
      ]),
    ],
  });
}

function authorized(call: xdr.InvokeContractArgs, below: readonly xdr.InvokeContractArgs[]) {
  const make = (args: xdr.InvokeContractArgs, subInvocations: xdr.SorobanAuthorizedInvocation[]) =>
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(args),
      subInvocations,
    });
  return make(
    call,
    below.map((args) => make(args, [])),
  );
}

function withCredentials(
  kind: 'address' | 'addressV2' | 'delegated',
  credentials: xdr.SorobanAddressCredentials,
): xdr.SorobanCredentials {
  switch (kind) {
    case 'address':
      return xdr.SorobanCredentials.sorobanCredentialsAddress(credentials);
    case 'addressV2':
      return xdr.SorobanCredentials.sorobanCredentialsAddressV2(credentials);
    case 'delegated':
      return xdr.SorobanCredentials.sorobanCredentialsAddressWithDelegates(
        new xdr.SorobanAddressCredentialsWithDelegates({
          addressCredentials: credentials,
          delegates: [],
        }),
      );
  }
}

/** The signature value of a classic account: public keys with their signatures (CAP-46-11). */
export function accountSignature(signer: TestKey, hash: Uint8Array): xdr.ScVal {
  const member = (name: string, bytes: Uint8Array) =>
    new xdr.ScMapEntry({
      key: xdr.ScVal.scvSymbol(name),
      val: xdr.ScVal.scvBytes(bytes),
    });
  return xdr.ScVal.scvVec([
    xdr.ScVal.scvMap([
      member('public_key', signer.publicKey),
      member('signature', signer.sign(hash)),
    ]),
  ]);
}

export function authorizationEntry(
  parts: EntryParts,
  call: xdr.InvokeContractArgs,
): xdr.SorobanAuthorizationEntry {
  const kind = parts.kind ?? 'address';
  const rootInvocation = authorized(parts.invocation ?? call, parts.subInvocations ?? []);
  if (kind === 'sourceAccount') {
    const credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount();
    return new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation });
  }
  const unsigned = new xdr.SorobanAddressCredentials({
    address: toScAddress(parts.by ?? PAYER.address),
    nonce: parts.nonce ?? 42n,
    signatureExpirationLedger: parts.expirationLedger ?? 1_050,
    signature: xdr.ScVal.scvVoid(),
  });
  const entry = (credentials: xdr.SorobanAddressCredentials) =>
    new xdr.SorobanAuthorizationEntry({
      credentials: withCredentials(kind, credentials),
      rootInvocation,
    });
  if (parts.signature !== undefined) {
    return entry(new xdr.SorobanAddressCredentials({ ...unsigned, signature: parts.signature }));
  }
  const signer = parts.signer === undefined ? PAYER : parts.signer;
  if (signer === null) return entry(unsigned);
  const preimage =
    kind === 'delegated' ? new Uint8Array() : authorizationPreimage(entry(unsigned), NETWORK_ID);
  const hash = createHash('sha256').update(preimage).digest();
  const signature = accountSignature(signer, hash);
  return entry(new xdr.SorobanAddressCredentials({ ...unsigned, signature }));
}

/** The envelope of a payment, base64. */
export function paymentEnvelope(parts: PaymentParts = {}): string {
  const call = invocation(parts);
  const account = (key: Uint8Array) => xdr.MuxedAccount.keyTypeEd25519(key);
  const operation = new xdr.Operation({
    sourceAccount: parts.operationSource === undefined ? null : account(parts.operationSource),
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({
        hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(call),
        auth: (parts.entries ?? [{}]).map((entry) => authorizationEntry(entry, call)),
      }),
    ),
  });
  const tx = new xdr.Transaction({
    // As the canonical client: the account of 32 zero bytes, with sequence number 0.
    sourceAccount: account(parts.source ?? new Uint8Array(32)),
    fee: parts.fee ?? 100_000,
    seqNum: 0n,
    cond: parts.timeless
      ? xdr.Preconditions.precondNone()
      : xdr.Preconditions.precondTime(new xdr.TimeBounds({ minTime: 0n, maxTime: 4_102_444_800n })),
    memo: xdr.Memo.memoNone(),
    operations: parts.operations?.(operation) ?? [operation],
    ext:
      parts.resources === undefined
        ? xdr.TransactionExt.v0()
        : xdr.TransactionExt.sorobanData(parts.resources),
  });
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx, signatures: [] }),
  ).toXdr('base64');
}

/** The request of `/verify` and `/settle` for a payment. */
export function paymentRequest(parts: PaymentParts = {}): FacilitatorRequest {
  const paymentRequirements: PaymentRequirements = {
    scheme: 'exact',
    network: STELLAR_TESTNET,
    asset: USDC,
    amount: '100000',
    payTo: SELLER.address,
    maxTimeoutSeconds: 300,
    extra: { areFeesSponsored: true },
    ...parts.requirements,
  };
  return {
    x402Version: parts.x402Version ?? 2,
    paymentPayload: {
      x402Version: parts.x402Version ?? 2,
      accepted: { ...paymentRequirements, ...parts.accepted },
      payload: { transaction: paymentEnvelope(parts) },
    },
    paymentRequirements,
  };
}

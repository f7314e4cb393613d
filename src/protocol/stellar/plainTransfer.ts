import type { AccountAddress, StellarAddress } from '../../../common/address.ts';
import type { AddressAuthorization } from '../../../common/authorization.ts';
import { accountAddressOf, contractAddressOf } from '../../../common/scAddress.ts';
import { readResources } from './plainResources.ts';
import { type PlainXdr, readPlain } from './plainXdr.ts';
import type { TransferCall } from './transferCall.ts';

/** A transaction with one transfer and one authorization of exactly that call, as clients make it. */
export interface PlainTransfer {
  readonly source: AccountAddress;
  readonly operationSource: AccountAddress | undefined;
  /** Stroops. */
  readonly fee: bigint;
  readonly call: TransferCall;
  readonly authorization: Omit<AddressAuthorization, 'invocation'> & {
    readonly address: StellarAddress;
    /** The bytes of the signature, an `ScVal`. */
    readonly signature: Buffer;
    /** Returns the bytes whose SHA-256 the payer signs (`authorizationPreimage`). */
    readonly preimage: (networkId: Uint8Array) => Buffer;
  };
  /** The bytes of the operation without its own source. */
  readonly operation: Buffer;
}

/** The name of the function with its length. */
const TRANSFER = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('transfer')]);
const NO_SOURCE = Buffer.alloc(4);
/** A contract's function, and no invocations below it. */
const FUNCTION = Buffer.alloc(4);
const NOTHING_BELOW = Buffer.alloc(4);
/** Discriminants of `HashIDPreimage`, by kind of credentials. */
const PREIMAGE_OF = { address: Buffer.from([0, 0, 0, 9]), addressV2: Buffer.from([0, 0, 0, 10]) };

/** Reads the arguments of a contract's call; returns `undefined` if it is not a transfer. */
function readCall(xdr: PlainXdr): TransferCall | undefined {
  xdr.expect(1);
  const asset = contractAddressOf(xdr.take(32));
  if (!xdr.take(TRANSFER.length).equals(TRANSFER)) return undefined;
  xdr.expect(3);
  xdr.expect(18);
  const from = xdr.address();
  xdr.expect(18);
  const to = xdr.address();
  xdr.expect(10);
  const amount = (xdr.int64() << 64n) + xdr.uint64();
  return { asset, from, to, amount };
}

function skipConditions(xdr: PlainXdr): void {
  // Time bounds, or none.
  if (xdr.bool()) xdr.skip(16);
}

function readTransaction(xdr: PlainXdr): PlainTransfer | undefined {
  xdr.expect(2);
  const source = accountAddressOf(xdr.key());
  const fee = BigInt(xdr.uint32());
  xdr.int64();
  skipConditions(xdr);
  // No memo, one operation.
  xdr.expect(0);
  xdr.expect(1);
  const operationSource = xdr.bool() ? accountAddressOf(xdr.key()) : undefined;
  const bodyAt = xdr.at;
  // An invocation of a contract.
  xdr.expect(24);
  xdr.expect(0);
  const callAt = xdr.at;
  const call = readCall(xdr);
  if (call === undefined) return undefined;
  const callBytes = xdr.bytes.subarray(callAt, xdr.at);

  // One authorization by address credentials of either kind.
  xdr.expect(1);
  const kind = xdr.uint32();
  if (kind !== 1 && kind !== 2) return undefined;
  const addressAt = xdr.at;
  const address = xdr.address();
  const nonceAt = xdr.at;
  const nonce = xdr.int64();
  const expirationLedger = xdr.uint32();
  const signatureAt = xdr.at;
  const signed = xdr.bytes[signatureAt + 3] !== 1 || xdr.bytes.readUInt32BE(signatureAt) !== 1;
  xdr.skipValue();
  const signature = xdr.bytes.subarray(signatureAt, xdr.at);
  // Of the same call, and nothing below it.
  xdr.expect(0);
  if (!xdr.take(callBytes.length).equals(callBytes)) return undefined;
  xdr.expect(0);
  const body = xdr.bytes.subarray(bodyAt, xdr.at);

  if (xdr.bool()) readResources(xdr);
  xdr.skipList(() => {
    xdr.skip(4);
    xdr.skipVariable(64);
  });
  const addressBytes = xdr.bytes.subarray(addressAt, nonceAt);
  const nonceAndExpiration = xdr.bytes.subarray(nonceAt, signatureAt);
  const form = kind === 1 ? 'address' : 'addressV2';
  return {
    source,
    operationSource,
    fee,
    call,
    authorization: {
      kind: form,
      address,
      nonce,
      expirationLedger,
      signed,
      signature,
      preimage: (networkId) =>
        Buffer.concat([
          ...[PREIMAGE_OF[form], networkId, nonceAndExpiration],
          ...(form === 'addressV2' ? [addressBytes] : []),
          ...[FUNCTION, callBytes, NOTHING_BELOW],
        ]),
    },
    operation: Buffer.concat([NO_SOURCE, body]),
  };
}

/**
 * Reads the bytes of a transaction's envelope as a transfer; `undefined` if they have any other form, which says nothing
 * about their validity.
 */
export function plainTransfer(bytes: Buffer): PlainTransfer | undefined {
  return readPlain(bytes, (xdr) => {
    const transfer = readTransaction(xdr);
    // Whatever follows another form is not read.
    if (transfer === undefined) xdr.at = xdr.bytes.length;
    return transfer;
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { addressCredentials, readAuthorization } from '../../../common/authorization.ts';
import { readMuxedAccount, toScAddress } from '../../../common/scAddress.ts';
import {
  OTHER_ASSET,
  PAYER,
  paymentEnvelope,
  SELLER,
  STRANGER,
} from '../../../test/support/payment.ts';
import { resources } from '../../../test/support/resources.ts';
import { authorizationPreimage } from './authorizationPreimage.ts';
import { plainResources } from './plainResources.ts';
import { type PlainTransfer, plainTransfer } from './plainTransfer.ts';
import { readTransferCall } from './transferCall.ts';

const NETWORK_ID = Buffer.alloc(32, 5);

/** The transfer with the bytes that its payer signs. */
function withPreimage({ authorization, ...rest }: PlainTransfer) {
  const preimage = authorization.preimage(NETWORK_ID);
  return { ...rest, authorization: { ...authorization, preimage } };
}

/** The same as the SDK decodes it. @throws when it does not */
function decoded(bytes: Buffer) {
  const envelope = xdr.TransactionEnvelope.fromXdr(bytes);
  assert.equal(envelope.type, 'envelopeTypeTx');
  const { tx } = envelope.v1;
  const [operation, ...others] = tx.operations;
  assert.ok(operation?.body.type === 'invokeHostFunction' && others.length === 0);
  const { hostFunction, auth } = operation.body.invokeHostFunctionOp;
  assert.equal(hostFunction.type, 'hostFunctionTypeInvokeContract');
  const call = hostFunction.invokeContract;
  const [entry, ...more] = auth;
  assert.ok(entry !== undefined && more.length === 0);
  const root = entry.rootInvocation;
  assert.ok(root.function.type === 'sorobanAuthorizedFunctionTypeContractFn');
  assert.ok(root.function.contractFn.equals(call));
  assert.equal(root.subInvocations.length, 0);
  const authorization = readAuthorization(entry);
  assert.ok(authorization !== undefined);
  const { invocation: _invocation, ...rest } = authorization;
  const signature = Buffer.from(addressCredentials(entry.credentials)?.signature.toXdr() ?? []);
  const preimage = Buffer.from(authorizationPreimage(entry, NETWORK_ID));
  return {
    source: readMuxedAccount(tx.sourceAccount),
    operationSource:
      operation.sourceAccount === null ? undefined : readMuxedAccount(operation.sourceAccount),
    fee: BigInt(tx.fee),
    call: readTransferCall(call),
    authorization: { ...rest, signature, preimage },
    operation: Buffer.from(
      new xdr.Operation({ sourceAccount: null, body: operation.body }).toXdr(),
    ),
  };
}

const symbol = xdr.ScVal.scvSymbol('name');
/** Signatures as smart accounts have them, and values of each kind that they may contain. */
const signature = fc.letrec<{ value: xdr.ScVal }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.boolean().map((value) => xdr.ScVal.scvBool(value)),
    fc.constant(xdr.ScVal.scvVoid()),
    fc.nat(2 ** 31).map((value) => xdr.ScVal.scvU32(value)),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => xdr.ScVal.scvU64(value)),
    fc.uint8Array({ maxLength: 70 }).map((value) => xdr.ScVal.scvBytes(value)),
    fc.string({ maxLength: 9 }).map((value) => xdr.ScVal.scvString(value)),
    fc.stringMatching(/^[a-z_]{0,32}$/).map((value) => xdr.ScVal.scvSymbol(value)),
    fc.constantFrom(PAYER.address, OTHER_ASSET).map((by) => xdr.ScVal.scvAddress(toScAddress(by))),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => xdr.ScVal.scvVec(values)),
    fc
      .array(tie('value'), { maxLength: 3 })
      .map((values) =>
        xdr.ScVal.scvMap(values.map((val) => new xdr.ScMapEntry({ key: symbol, val }))),
      ),
  ),
})).value;

const payment = fc.record(
  {
    asset: fc.constant(OTHER_ASSET),
    from: fc.constant(OTHER_ASSET),
    to: fc.constantFrom(toScAddress(OTHER_ASSET), toScAddress(STRANGER.address)),
    amount: fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
    source: fc.constant(STRANGER.publicKey),
    operationSource: fc.constant(SELLER.publicKey),
    fee: fc.nat(2 ** 31),
    timeless: fc.boolean(),
    resources: fc.nat(2 ** 31).map((fee) => withFootprint(BigInt(fee))),
  },
  { requiredKeys: [] },
);
const entry = fc.record(
  {
    kind: fc.constantFrom('address' as const, 'addressV2' as const),
    by: fc.constantFrom(OTHER_ASSET, STRANGER.address),
    signer: fc.constant(null),
    signature,
    nonce: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    expirationLedger: fc.nat(2 ** 31),
  },
  { requiredKeys: [] },
);
const bytesOf = (parts: Parameters<typeof paymentEnvelope>[0]): Buffer =>
  Buffer.from(paymentEnvelope(parts), 'base64');

describe('A transfer in its usual form', () => {
  it('is read as the SDK reads it', () => {
    let plain = 0;
    fc.assert(
      fc.property(payment, entry, (parts, one) => {
        const bytes = bytesOf({ ...parts, entries: [one] });
        const read = plainTransfer(bytes);
        if (read === undefined) return;
        plain += 1;
        assert.deepEqual(withPreimage(read), decoded(bytes));
      }),
      { numRuns: 1_000 },
    );
    assert.ok(plain > 500, `${plain} of 1,000`);
    for (const kind of ['address', 'addressV2'] as const) {
      assert.ok(plainTransfer(bytesOf({ entries: [{ kind }] })) !== undefined);
    }
  });

  it('is never read where the SDK reads something different, or nothing', () => {
    let plain = 0;
    fc.assert(
      fc.property(
        payment,
        entry,
        fc.array(fc.tuple(fc.nat(10_000), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        fc.nat(60),
        (parts, one, changes, cut) => {
          const bytes = bytesOf({ ...parts, entries: [one] });
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const cutOff = cut > 50 ? bytes.subarray(0, bytes.length - cut + 50) : bytes;
          const read = plainTransfer(cutOff);
          if (read === undefined) return;
          plain += 1;
          assert.deepEqual(withPreimage(read), decoded(cutOff));
        },
      ),
      { numRuns: 5_000 },
    );
    assert.ok(plain > 200, `${plain} of 5,000`);
  });

  it('excludes every other call, entry, operation and nesting', () => {
    const sub = { subInvocations: [] };
    for (const parts of [
      { functionName: 'transfe_' },
      { args: [] },
      { to: xdr.ScAddress.scAddressTypeMuxedAccount(muxed()) },
      { entries: [] },
      { entries: [{}, {}] },
      { entries: [{ kind: 'sourceAccount' as const }] },
      { entries: [{ kind: 'delegated' as const }] },
      { entries: [{ ...sub, signature: nested(9) }] },
      { operations: () => [] },
      { operations: (one: xdr.Operation) => [one, one] },
    ]) {
      assert.equal(plainTransfer(bytesOf(parts)), undefined);
    }
    assert.ok(plainTransfer(bytesOf({ entries: [{ signature: nested(6) }] })) !== undefined);
  });
});

const account = xdr.PublicKey.publicKeyTypeEd25519(PAYER.publicKey);
const assetCode4 = xdr.TrustLineAsset.assetTypeCreditAlphanum4(
  new xdr.AlphaNum4({ assetCode: new Uint8Array(4), issuer: account }),
);
const assetCode12 = xdr.TrustLineAsset.assetTypeCreditAlphanum12(
  new xdr.AlphaNum12({ assetCode: new Uint8Array(12), issuer: account }),
);
const dataOf = (key: xdr.ScVal, durability: xdr.ContractDataDurability): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract: toScAddress(OTHER_ASSET), key, durability }),
  );
/** A key of each kind that payments touch. */
const KEYS: readonly xdr.LedgerKey[] = [
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: account })),
  ...[assetCode4, assetCode12].map((asset) =>
    xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId: account, asset })),
  ),
  dataOf(xdr.ScVal.scvLedgerKeyContractInstance(), xdr.ContractDataDurability.persistent),
  dataOf(
    xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: -1n })),
    xdr.ContractDataDurability.temporary,
  ),
  dataOf(
    xdr.ScVal.scvVec([symbol, xdr.ScVal.scvAddress(toScAddress(PAYER.address))]),
    xdr.ContractDataDurability.persistent,
  ),
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new Uint8Array(32) })),
];

function withFootprint(resourceFee: bigint): xdr.SorobanTransactionData {
  const { ext, resources: costs } = resources(resourceFee);
  const footprint = new xdr.LedgerFootprint({ readOnly: [...KEYS], readWrite: [...KEYS] });
  const { instructions, diskReadBytes, writeBytes } = costs;
  const all = { footprint, instructions, diskReadBytes, writeBytes };
  return new xdr.SorobanTransactionData({
    ext,
    resources: new xdr.SorobanResources(all),
    resourceFee,
  });
}

describe('The resources of a transaction', () => {
  it('are read as the SDK reads them, and only where it does', () => {
    const good = Buffer.from(withFootprint(60_000n).toXdr());
    assert.deepEqual(plainResources(good), { archived: 0, resourceFee: 60_000n });
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(9), (at, value, cut) => {
        const bytes = Buffer.from(good);
        bytes[at] = value;
        const part = cut === 0 ? bytes.subarray(0, -4) : bytes;
        const read = plainResources(part);
        if (read === undefined) return;
        const { ext, resourceFee } = xdr.SorobanTransactionData.fromXdr(part);
        const archived =
          ext.type === 'resourceExt' ? ext.resourceExt.archivedSorobanEntries.length : 0;
        assert.deepEqual(read, { archived, resourceFee });
      }),
      { numRuns: 3_000 },
    );
  });

  it('name the entries that are archived', () => {
    const data = resources(7n);
    const archived = new xdr.SorobanTransactionData({
      ext: xdr.SorobanTransactionDataExt.resourceExt(
        new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0, 1] }),
      ),
      resources: data.resources,
      resourceFee: data.resourceFee,
    });
    assert.deepEqual(plainResources(Buffer.from(archived.toXdr())), {
      archived: 2,
      resourceFee: 7n,
    });
  });
});

function muxed(): xdr.MuxedEd25519Account {
  return new xdr.MuxedEd25519Account({ id: 1n, ed25519: SELLER.publicKey });
}

function nested(depth: number): xdr.ScVal {
  return depth === 0 ? xdr.ScVal.scvVoid() : xdr.ScVal.scvVec([nested(depth - 1)]);
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { Random } from '../helpers/random.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type FreshParts, freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { post } from '../support/post.ts';

/** A change of a valid payment. Some of them make it invalid. */
type Change = (tx: xdr.Transaction, random: Random) => xdr.Transaction;

const STRANGER = testKey('a stranger to the ledger');
const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);
const muxed = (key: TestKey, id: bigint) =>
  xdr.MuxedAccount.keyTypeMuxedEd25519(
    new xdr.MuxedAccountMed25519({ id, ed25519: key.publicKey }),
  );

const MEMOS = [
  () => xdr.Memo.memoText('order 7'),
  () => xdr.Memo.memoText(''),
  () => xdr.Memo.memoId(7n),
  () => xdr.Memo.memoHash(bytes(32, 7)),
  () => xdr.Memo.memoReturn(bytes(32, 7)),
];

const withConditions = (
  tx: xdr.Transaction,
  conditions: Partial<ConstructorParameters<typeof xdr.PreconditionsV2>[0]>,
) =>
  new xdr.Transaction({
    ...tx,
    cond: xdr.Preconditions.precondV2(
      new xdr.PreconditionsV2({
        ...{ timeBounds: null, ledgerBounds: null, minSeqNum: null },
        ...{ minSeqAge: 0n, minSeqLedgerGap: 0, extraSigners: [] },
        ...conditions,
      }),
    ),
  });

const withSource = (tx: xdr.Transaction, sourceAccount: xdr.MuxedAccount) =>
  new xdr.Transaction({ ...tx, sourceAccount });

const withOperationSource = (tx: xdr.Transaction, sourceAccount: xdr.MuxedAccount) =>
  new xdr.Transaction({
    ...tx,
    operations: tx.operations.map(({ body }) => new xdr.Operation({ sourceAccount, body })),
  });

const resources = (instructions: number, resourceFee: bigint, keys: xdr.LedgerKey[]) =>
  xdr.TransactionExt.sorobanData(
    new xdr.SorobanTransactionData({
      ext: xdr.SorobanTransactionDataExt.v0(),
      resources: new xdr.SorobanResources({
        footprint: new xdr.LedgerFootprint({ readOnly: keys, readWrite: [] }),
        ...{ instructions, diskReadBytes: 0, writeBytes: 0 },
      }),
      resourceFee,
    }),
  );

const FEES = [0, 1, 100, 49_999, 400_000, 4_294_967_295];

function changes(payer: TestKey): Readonly<Record<string, Change>> {
  const account = ({ publicKey }: TestKey) => xdr.MuxedAccount.keyTypeEd25519(publicKey);
  return {
    'a memo': (tx, random) => new xdr.Transaction({ ...tx, memo: random.pick(MEMOS)() }),
    'an odd fee': (tx, random) => new xdr.Transaction({ ...tx, fee: random.pick(FEES) }),
    'a sequence number': (tx, random) =>
      new xdr.Transaction({ ...tx, seqNum: random.pick([-1n, 1n, 9_223_372_036_854_775_807n]) }),
    'time bounds that are over': (tx) =>
      withConditions(tx, { timeBounds: new xdr.TimeBounds({ minTime: 0n, maxTime: 1n }) }),
    'time bounds to come': (tx) =>
      withConditions(tx, {
        timeBounds: new xdr.TimeBounds({ minTime: 4_102_444_800n, maxTime: 0n }),
      }),
    'ledger bounds that are over': (tx) =>
      withConditions(tx, { ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger: 1 }) }),
    'a least sequence': (tx) =>
      withConditions(tx, { minSeqNum: 7n, minSeqAge: 100n, minSeqLedgerGap: 3 }),
    'an extra signer': (tx) =>
      withConditions(tx, {
        extraSigners: [xdr.SignerKey.signerKeyTypeEd25519(STRANGER.publicKey)],
      }),
    'no conditions': (tx) => new xdr.Transaction({ ...tx, cond: xdr.Preconditions.precondNone() }),
    'the payer as source': (tx) => withSource(tx, account(payer)),
    'a stranger as source': (tx) => withSource(tx, account(STRANGER)),
    'a muxed source': (tx) => withSource(tx, muxed(payer, 5n)),
    'the payer as source of the operation': (tx) => withOperationSource(tx, account(payer)),
    'a stranger as source of the operation': (tx) => withOperationSource(tx, account(STRANGER)),
    'a muxed source of the operation': (tx) => withOperationSource(tx, muxed(payer, 5n)),
    'resources of its own': (tx, random) =>
      new xdr.Transaction({
        ...tx,
        ext: resources(random.pick([0, 1, 4_294_967_295]), random.pick([-1n, 0n, 10_000_000n]), [
          xdr.LedgerKey.account(
            new xdr.LedgerKeyAccount({
              accountId: xdr.PublicKey.publicKeyTypeEd25519(STRANGER.publicKey),
            }),
          ),
        ]),
      }),
  };
}

/** Faults in the payment itself, which both routes must refuse for the same reason. */
const FAULTS: Readonly<Record<string, FreshParts>> = {
  'another amount': { amount: 100_001n },
  'no signature': { entry: { signer: null } },
  "a stranger's signature": { entry: { signer: STRANGER } },
  'a signature that is over': { entry: { expirationLedger: 1 } },
  'the credentials of the source': { entry: { kind: 'sourceAccount' } },
  'no entry': { entries: () => [] },
  'the entry twice': { entries: (right) => [right, right] },
  "a stranger's entry": { entries: (right) => [right, { by: STRANGER.address, signer: STRANGER }] },
};

/** The same request with another envelope, and signatures that nobody asked for. */
function changed(
  request: FacilitatorRequest,
  change: (tx: xdr.Transaction) => xdr.Transaction,
  signatures: number,
): FacilitatorRequest {
  const text = String(request.paymentPayload.payload.transaction);
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  assert.equal(envelope.type, 'envelopeTypeTx');
  const signature = new xdr.DecoratedSignature({ hint: bytes(4, 1), signature: bytes(64, 2) });
  const transaction = xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({
      tx: change(envelope.v1.tx),
      signatures: Array<xdr.DecoratedSignature>(signatures).fill(signature),
    }),
  ).toXdr('base64');
  return { ...request, paymentPayload: { ...request.paymentPayload, payload: { transaction } } };
}

interface Verdict {
  readonly verified: string;
  readonly settled: string;
}

describe('M14: /verify and /settle judge a payment alike', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let seller: TestKey;
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack);
    seller = await openSeller(stack);
  });
  after(() => stack.close());

  async function judged(request: FacilitatorRequest): Promise<Verdict> {
    const verify = await post(stack.facilitator.url, '/verify', request);
    const settle = await post(stack.facilitator.url, '/settle', request);
    return {
      verified: verify.body.isValid === true ? 'accepted' : String(verify.body.reason),
      settled: settle.body.success === true ? 'accepted' : String(settle.body.reason),
    };
  }

  it('whatever its envelope says that nobody signed', async () => {
    for (const [name, change] of Object.entries(changes(payer))) {
      const random = new Random(14);
      const request = changed(
        await freshPayment(stack, payer, seller),
        (tx) => change(tx, random),
        0,
      );
      const { verified, settled } = await judged(request);
      assert.equal(verified, settled, `${name}: ${verified} at /verify, ${settled} at /settle`);
    }
  });

  it('a memo, which is not part of what is signed, does not matter', async () => {
    for (const memo of MEMOS) {
      const request = changed(
        await freshPayment(stack, payer, seller),
        (tx) => new xdr.Transaction({ ...tx, memo: memo() }),
        0,
      );
      assert.deepEqual(await judged(request), { verified: 'accepted', settled: 'accepted' });
    }
  });

  it('in 60 random combinations, valid or not', async () => {
    const random = new Random(14);
    const all = Object.entries(changes(payer));
    const verdicts = new Set<string>();
    for (let run = 0; run < 60; run++) {
      const chosen = all.filter(() => random.chance(0.2));
      const [fault, parts] = random.chance(0.4)
        ? random.pick(Object.entries(FAULTS))
        : (['none', {}] as const);
      const signatures = random.pick([0, 0, 1, 20]);
      const request = changed(
        await freshPayment(stack, payer, seller, parts),
        (tx) => chosen.reduce((before, [, change]) => change(before, random), tx),
        signatures,
      );
      const { verified, settled } = await judged(request);
      const names = [
        ...chosen.map(([name]) => name),
        `fault: ${fault}`,
        `${signatures} signatures`,
      ];
      assert.equal(verified, settled, `${verified}, ${settled} with ${names.join(', ')}`);
      verdicts.add(verified);
    }
    // Combinations that are all refused alike would show nothing.
    assert.ok(verdicts.has('accepted') && verdicts.size > 4, [...verdicts].join());
  });
});

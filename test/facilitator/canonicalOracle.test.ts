import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { decodeStrKey, ERROR_TABLE, type ErrorCode } from '../../src/protocol/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import type {
  FacilitatorRequest,
  PaymentPayload,
  PaymentRequirements,
} from '../../src/protocol/wire/index.ts';
import { openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { canonicalPackage, NOT_INSTALLED } from '../support/canonical.ts';
import { type FreshParts, freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { invocation, OTHER_ASSET, STRANGER } from '../support/payment.ts';

interface Verdict {
  readonly isValid: boolean;
  readonly invalidReason?: string;
}

interface Oracle {
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict>;
}

interface StellarPackage {
  createEd25519Signer(secret: string): unknown;
}

interface FacilitatorPackage {
  ExactStellarScheme: new (signers: unknown[], options: object) => Oracle;
}

const stellar = canonicalPackage<StellarPackage>('@x402/stellar');
const facilitator = canonicalPackage<FacilitatorPackage>('@x402/stellar/exact/facilitator');

/** How a case is expected to relate to the canonical class. */
type Relation =
  /** Same verdict, and the reason that our table names as canonical. */
  | 'same'
  /** Both refuse; ours gives a more exact reason, or checks another rule first. */
  | { readonly ours: ErrorCode; readonly theirs: string }
  /** We refuse on purpose what the canonical class accepts. */
  | { readonly stricter: ErrorCode }
  /** We accept on purpose what the canonical class refuses. */
  | { readonly looser: string };

interface Case {
  readonly what: string;
  readonly relation: Relation;
  readonly parts: FreshParts | ((world: World) => FreshParts | Promise<FreshParts>);
  readonly payer?: (world: World) => TestKey | Promise<TestKey>;
  readonly seller?: (world: World) => TestKey | Promise<TestKey>;
  /** What is changed in the request afterwards. */
  readonly change?: (request: FacilitatorRequest) => FacilitatorRequest;
}

interface World {
  readonly stack: LocalStack;
  readonly payer: TestKey;
  readonly seller: TestKey;
  readonly sponsorKey: Uint8Array;
  readonly channelKey: Uint8Array;
  readonly latest: () => Promise<number>;
}

const P = 'invalid_exact_stellar_payload_';
const simulationFails = `${P}simulation_failed`;

const withTransaction =
  (transaction: unknown) =>
  (request: FacilitatorRequest): FacilitatorRequest => ({
    ...request,
    paymentPayload: { ...request.paymentPayload, payload: { transaction } },
  });

const CASES: readonly Case[] = [
  { what: 'a payment as it should be', relation: 'same', parts: {} },
  {
    what: 'a smaller amount',
    relation: 'same',
    parts: { amount: 1n, requirements: { amount: '1' } },
  },
  {
    what: 'an amount of zero',
    relation: 'same',
    parts: { amount: 0n, requirements: { amount: '0' } },
  },
  {
    what: 'a contract as recipient',
    relation: 'same',
    parts: { to: toScAddress(OTHER_ASSET), requirements: { payTo: OTHER_ASSET } },
  },
  { what: 'a stranger as source', relation: 'same', parts: { source: STRANGER.publicKey } },
  { what: 'version 1', relation: 'same', parts: { x402Version: 1 } },
  { what: 'another scheme', relation: 'same', parts: { requirements: { scheme: 'upto' } } },
  {
    what: 'another network accepted',
    relation: 'same',
    parts: { accepted: { network: 'stellar:pubnet' } },
  },
  {
    what: 'a network nobody knows',
    relation: 'same',
    parts: { requirements: { network: 'eip155:1' } },
  },
  { what: 'no transaction', relation: 'same', parts: {}, change: withTransaction(undefined) },
  {
    what: 'a transaction that is a number',
    relation: 'same',
    parts: {},
    change: withTransaction(5),
  },
  {
    what: 'a transaction that is not XDR',
    relation: 'same',
    parts: {},
    change: withTransaction('AAAA'),
  },
  { what: 'no operation', relation: 'same', parts: { operations: () => [] } },
  { what: 'two operations', relation: 'same', parts: { operations: (one) => [one, one] } },
  {
    what: 'another operation',
    relation: 'same',
    parts: {
      operations: () => [
        new xdr.Operation({
          sourceAccount: null,
          body: xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: 1n })),
        }),
      ],
    },
  },
  {
    what: 'a channel as source',
    relation: 'same',
    parts: ({ channelKey }) => ({ source: channelKey }),
  },
  {
    what: 'a channel as source of the operation',
    relation: 'same',
    parts: ({ channelKey }) => ({ operationSource: channelKey }),
  },
  { what: 'another asset', relation: 'same', parts: { asset: OTHER_ASSET } },
  { what: 'another function', relation: 'same', parts: { functionName: 'burn' } },
  {
    what: 'two arguments',
    relation: 'same',
    parts: { args: [xdr.ScVal.scvVoid(), xdr.ScVal.scvVoid()] },
  },
  { what: 'another recipient', relation: 'same', parts: { to: toScAddress(STRANGER.address) } },
  { what: 'another amount', relation: 'same', parts: { amount: 99_999n } },
  { what: 'no authorization', relation: 'same', parts: { entries: () => [] } },
  {
    what: "the payer's own account as source",
    relation: 'same',
    parts: ({ payer }) => ({ source: payer.publicKey, entry: { kind: 'sourceAccount' } }),
  },
  {
    what: 'an expiration too far',
    relation: 'same',
    parts: async ({ latest }) => ({ entry: { expirationLedger: (await latest()) + 5_000 } }),
  },
  {
    what: 'a payer without funds',
    relation: 'same',
    parts: {},
    payer: ({ stack }) => openSeller(stack),
  },
  {
    what: 'a payer without account',
    relation: 'same',
    parts: {},
    payer: () => testKey('nobody at all'),
  },
  {
    what: 'a recipient without trustline',
    relation: 'same',
    parts: {},
    seller: ({ stack }) => openAccount(stack),
  },
  { what: 'a signature of another key', relation: 'same', parts: { entry: { signer: STRANGER } } },
  { what: 'a fee below the resource fee', relation: 'same', parts: { fee: 100 } },
  {
    what: 'the asset misnamed on both sides',
    relation: 'same',
    parts: { asset: OTHER_ASSET, requirements: { asset: OTHER_ASSET } },
  },

  // Both refuse, for different reasons.
  {
    what: 'no signature',
    relation: { ours: 'missing_payer_signature', theirs: simulationFails },
    parts: { entry: { signer: null } },
  },
  {
    what: 'an authorization of another amount',
    relation: { ours: 'unexpected_authorization', theirs: simulationFails },
    parts: ({ payer, seller }) => ({
      entry: {
        invocation: invocation({
          from: payer.address,
          to: toScAddress(seller.address),
          amount: 1n,
        }),
      },
    }),
  },
  {
    what: 'arguments of another kind',
    relation: { ours: 'wrong_function', theirs: `${P}wrong_recipient` },
    parts: { args: [xdr.ScVal.scvVoid(), xdr.ScVal.scvVoid(), toI128(1n)] },
  },
  {
    what: 'an asset that is not a contract',
    relation: { ours: 'invalid_asset', theirs: `${P}wrong_asset` },
    parts: { requirements: { asset: STRANGER.address } },
  },
  {
    what: 'an amount that is not an integer',
    relation: { ours: 'invalid_amount', theirs: 'unexpected_verify_error' },
    parts: { requirements: { amount: '0.1' } },
  },
  {
    what: 'a muxed recipient required',
    relation: { ours: 'invalid_payto', theirs: `${P}wrong_recipient` },
    parts: {
      requirements: {
        payTo: 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
      },
    },
  },
  {
    what: 'an expired authorization',
    relation: { ours: 'signature_expired', theirs: simulationFails },
    parts: async ({ latest }) => ({ entry: { expirationLedger: (await latest()) - 1 } }),
  },
  {
    what: 'pubnet',
    relation: { ours: 'invalid_network', theirs: 'unexpected_verify_error' },
    parts: { requirements: { network: 'stellar:pubnet' } },
  },

  // Refused on purpose.
  {
    what: 'other terms accepted than required',
    relation: { stricter: 'accepted_mismatch' },
    parts: { accepted: { amount: '1' } },
  },
  {
    what: 'a second, unused authorization of the payer',
    relation: { stricter: 'unexpected_authorization' },
    parts: { entries: (right) => [right, { ...right, nonce: 1n }] },
  },
  {
    what: 'the sponsor as source, whom the canonical class does not count among its own',
    relation: { stricter: 'unsafe_source' },
    parts: ({ sponsorKey }) => ({ source: sponsorKey }),
  },

  // Accepted on purpose.
  {
    what: 'a fee above the ceiling in the envelope, which nobody bids',
    relation: { looser: `${P}fee_exceeds_maximum` },
    parts: { fee: 500_001 },
  },
  {
    what: 'address-bound credentials of protocol 27, which the older SDK cannot decode',
    relation: { looser: `${P}malformed` },
    parts: { entry: { kind: 'addressV2' } },
  },
  {
    what: 'no time bounds, which the class stumbles over',
    relation: { looser: 'unexpected_verify_error' },
    parts: { timeless: true },
  },
  {
    what: 'six ledgers more than maxTimeoutSeconds, against skew between servers',
    relation: { looser: 'invalid_exact_stellar_signature_expiration_too_far' },
    parts: async ({ latest }) => ({ entry: { expirationLedger: (await latest()) + 66 } }),
  },
];

describe('Compared with the canonical facilitator class, on the same ledger', {
  skip: stellar && facilitator ? false : NOT_INSTALLED,
}, () => {
  let world: World;
  let oracle: Oracle;
  let errors: typeof console.error;

  before(async () => {
    // The class writes every refusal to the console; here refusals are expected.
    errors = console.error;
    console.error = () => {};
    assert.ok(stellar && facilitator);
    const stack = await startLocalStack();
    const { sponsor, channels } = stack.ledger.accounts;
    const { createEd25519Signer } = stellar;
    oracle = new facilitator.ExactStellarScheme(
      channels.map(({ secret }) => createEd25519Signer(secret)),
      {
        rpcConfig: { url: stack.rpcUrl },
        maxTransactionFeeStroops: 500_000,
        feeBumpSigner: createEd25519Signer(sponsor.secret),
      },
    );
    const keyOf = (address: string | undefined) => {
      const key = decodeStrKey('account', address ?? '');
      assert.ok(key);
      return key;
    };
    world = {
      stack,
      payer: await openPayer(stack),
      seller: await openSeller(stack),
      sponsorKey: keyOf(sponsor.address),
      channelKey: keyOf(channels[0]?.address),
      latest: () => stack.network.getLatestLedger(),
    };
  });
  after(async () => {
    console.error = errors;
    await world.stack.close();
  });

  async function ours(request: FacilitatorRequest) {
    const response = await fetch(`${world.stack.facilitator.url}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const body = (await response.json()) as Verdict & { reason?: ErrorCode };
    return { isValid: body.isValid, code: body.reason };
  }

  for (const { what, relation, parts, payer, seller, change } of CASES) {
    const kind =
      relation === 'same' ? 'same' : 'ours' in relation ? 'other reason' : Object.keys(relation)[0];
    it(`${what} (${kind})`, async () => {
      const from = (await payer?.(world)) ?? world.payer;
      const to = (await seller?.(world)) ?? world.seller;
      const made = typeof parts === 'function' ? await parts(world) : parts;
      const built = await freshPayment(world.stack, from, to, made);
      const request = change?.(built) ?? built;
      const [mine, theirs] = await Promise.all([
        ours(request),
        oracle.verify(request.paymentPayload, request.paymentRequirements),
      ]);
      const reasons = `ours ${mine.code}, theirs ${theirs.invalidReason}`;
      if (relation === 'same') {
        assert.equal(mine.isValid, theirs.isValid, reasons);
        if (!theirs.isValid) {
          assert.ok(mine.code);
          assert.equal(ERROR_TABLE[mine.code].canonical, theirs.invalidReason, reasons);
        }
      } else if ('ours' in relation) {
        assert.deepEqual([mine.code, theirs.invalidReason], [relation.ours, relation.theirs]);
      } else if ('stricter' in relation) {
        assert.deepEqual([theirs.isValid, mine.code], [true, relation.stricter], reasons);
      } else {
        assert.deepEqual([mine.isValid, theirs.invalidReason], [true, relation.looser], reasons);
      }
    });
  }

  it('and on envelopes with any one byte changed, refuses whatever the class refuses', async () => {
    const request = await freshPayment(world.stack, world.payer, world.seller);
    const bytes = Buffer.from(String(request.paymentPayload.payload.transaction), 'base64');
    let both = 0;
    // A prime step visits every field of the envelope.
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      const mutated = withTransaction(changed.toString('base64'))(request);
      const [mine, theirs] = await Promise.all([
        ours(mutated),
        oracle.verify(mutated.paymentPayload, mutated.paymentRequirements),
      ]);
      const where = `byte ${at}: ours ${mine.code}, theirs ${theirs.invalidReason}`;
      if (!theirs.isValid) {
        const looser = /_fee_exceeds_maximum$/.test(theirs.invalidReason ?? '');
        assert.equal(mine.isValid, looser, where);
        both++;
      } else if (!mine.isValid) {
        assert.match(String(mine.code), /^(unexpected_authorization|signature_expired)$/, where);
      }
    }
    assert.ok(both > 20);
  });
});

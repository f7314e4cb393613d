import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { totalLumens } from '../../../test/helpers/testInvariants.ts';
import {
  beginOp,
  bumpOp,
  changeTrustOp,
  createAccountOp,
  dataOp,
  endOp,
  keySigner,
  mergeOp,
  paymentOp,
  poolOf,
  revokeOp,
  revokeSignerOp,
  signerOp,
} from '../../../test/helpers/testOperations.ts';
import {
  accountNamed,
  credit,
  type Step,
  TestWorld,
  XLM,
} from '../../../test/helpers/testWorld.ts';
import { dataKeyId, ledgerKeyOf, trustlineKeyId } from '../../state/index.ts';
import { sameAsset, trustLineAssetOf } from '../balances/index.ts';

const NATIVE = xdr.Asset.assetTypeNative();
const ISSUER = accountNamed('issuer');
const EUR = credit('EUR', ISSUER);
const USD = credit('USD', ISSUER);
const POOL = poolOf(EUR, USD);
const PEOPLE = ['ann', 'ben', 'cat', 'dan'];
const NAMES = ['one', 'two'];
const KEYS = ['k1', 'k2'].map((name) => keySigner(accountNamed(name)));

const person = fc.constantFrom(...PEOPLE).map(accountNamed);
const anybody = fc.oneof({ arbitrary: person, weight: 6 }, fc.constant(ISSUER));
const asset = fc.constantFrom(NATIVE, EUR, USD);
const amount = fc.bigInt({ min: 0n, max: 4n * XLM });

function revokedKey(owner: xdr.PublicKey): fc.Arbitrary<xdr.OperationBody> {
  return fc.oneof(
    fc.constantFrom(...NAMES).map((name) => revokeOp(ledgerKeyOf(dataKeyId(owner, name)))),
    fc.constantFrom(...KEYS).map((key) => revokeSignerOp(owner, key)),
    fc.constantFrom(EUR, USD).map((line) => {
      return revokeOp(ledgerKeyOf(trustlineKeyId(owner, trustLineAssetOf(line))));
    }),
    fc.constant(revokeOp(xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: owner })))),
  );
}

const setSigner = fc
  .tuple(fc.constantFrom(...KEYS), fc.constantFrom(1, 1, 0))
  .map(([key, weight]) => signerOp(key, weight));
const setData = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('value', 'other', null))
  .map(([name, value]) => dataOp(name, value));
const setLine = fc
  .tuple(fc.constantFrom(EUR, USD, POOL), fc.constantFrom(XLM, 100n * XLM, 0n))
  .map(([line, limit]) => changeTrustOp(line, limit));
const pay = fc.tuple(anybody, asset, amount).map(([to, what, much]) => paymentOp(to, what, much));
const create = fc.tuple(person, amount).map(([to, much]) => createAccountOp(to, much));
const bump = fc.bigInt({ min: 0n, max: 1n << 40n }).map(bumpOp);

const body: fc.Arbitrary<xdr.OperationBody> = fc.oneof(
  { arbitrary: create, weight: 3 },
  { arbitrary: pay, weight: 4 },
  { arbitrary: setLine, weight: 4 },
  { arbitrary: setSigner, weight: 3 },
  { arbitrary: setData, weight: 3 },
  { arbitrary: person.chain(revokedKey), weight: 9 },
  { arbitrary: person.map(mergeOp), weight: 1 },
  { arbitrary: bump, weight: 1 },
);

/** One operation, alone or while somebody sponsors its source or its destination. */
const transaction: fc.Arbitrary<Step[]> = fc
  .tuple(anybody, body, fc.constantFrom('alone', 'sponsored', 'sponsoredNew'), anybody)
  .map(([source, operation, form, sponsor]): Step[] => {
    if (form === 'alone') return [[source, operation]];
    const isNew = form === 'sponsoredNew' && operation.type === 'createAccount';
    const sponsored = isNew ? operation.createAccountOp.destination : source;
    return [
      [sponsor, beginOp(sponsored)],
      [source, operation],
      [sponsored, endOp()],
    ];
  });

function totalOf(world: TestWorld, what: xdr.Asset): bigint {
  return world.entries().reduce((sum, { data }) => {
    if (data.type !== 'trustline' || !sameAsset(data.trustLine.asset, what)) return sum;
    return sum + data.trustLine.balance;
  }, 0n);
}

/** What events say was issued less what was returned, of all assets together. */
function issuedBy(events: readonly xdr.ContractEvent[]): bigint {
  return events.reduce((sum, { body: { v0 } }) => {
    const [name] = v0.topics;
    if (name?.type !== 'scvSymbol' || v0.data.type !== 'scvI128') return sum;
    const moved = (v0.data.i128.hi << 64n) + v0.data.i128.lo;
    if (name.sym.toString() === 'mint') return sum + moved;
    return name.sym.toString() === 'burn' ? sum - moved : sum;
  }, 0n);
}

describe('whatever accounts do, nothing is created or lost and every counter is correct', () => {
  it('holds after each of many random transactions', () => {
    const succeeded = new Set<string>();
    fc.assert(
      fc.property(fc.array(transaction, { minLength: 40, maxLength: 80 }), (transactions) => {
        const world = new TestWorld({ ledgerSeq: 1 << 20 });
        world.account('issuer', 1000n * XLM);
        for (const name of PEOPLE.slice(0, 3)) world.account(name, 30n * XLM);
        const lumens = totalLumens(world.entries());
        let issued = 0n;
        for (const steps of transactions) {
          const outcome = world.apply(...steps);
          world.nextLedger();
          if (outcome.code !== 'txSuccess') continue;
          issued += issuedBy(outcome.events);
          for (const [, operation] of steps) succeeded.add(operation.type);
        }
        assert.equal(totalLumens(world.entries()), lumens);
        assert.equal(totalOf(world, EUR) + totalOf(world, USD), issued);
      }),
      { numRuns: 60, seed: 33 },
    );
    const all = [
      'accountMerge',
      'beginSponsoringFutureReserves',
      'bumpSequence',
      'changeTrust',
      'createAccount',
      'endSponsoringFutureReserves',
      'manageData',
      'payment',
      'revokeSponsorship',
      'setOptions',
    ];
    assert.deepEqual([...succeeded].sort(), all, 'each operation succeeded at least once');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeStrKey } from '../../../protocol/index.ts';
import { TEMPLATES } from '../templates.ts';
import { readDefinition } from './readDefinition.ts';

const contract = (seed: number) => encodeStrKey('contract', new Uint8Array(32).fill(seed));
const account = (seed: number) => encodeStrKey('account', new Uint8Array(32).fill(seed));
const common = { version: '1', owners: [contract(1)] };
const limit = (spendingLimits: unknown) => ({ ...common, type: 'spending_limit', spendingLimits });

function problemsOf(definition: unknown) {
  const read = readDefinition(definition);
  return read.ok ? [] : read.problems.map(({ path, code }) => `${path} ${code}`);
}

describe('A definition', () => {
  it('[spec: Policy objects/Definition] of the specification is read unchanged: an amount of XLM in 24 hours', () => {
    const read = readDefinition(limit({ dailyXlm: '10.5' }));
    assert.ok(read.ok && read.definition.type === 'spending_limit');
    assert.deepEqual(
      [read.definition.asset, read.definition.amount, read.definition.wallet],
      [null, 105_000_000n, contract(1)],
    );
  });

  it('from each template is valid', () => {
    for (const { example } of Object.values(TEMPLATES)) assert.deepEqual(problemsOf(example), []);
  });

  it('has one limit', () => {
    const daily = { asset: contract(2), amount: '1' };
    assert.deepEqual(problemsOf(limit({ daily: [daily] })), []);
    assert.deepEqual(problemsOf(limit({})), ['/spendingLimits not_one_limit']);
    assert.deepEqual(problemsOf(limit({ daily: [daily, daily] })), [
      '/spendingLimits not_one_limit',
    ]);
    assert.deepEqual(problemsOf(limit({ dailyXlm: '1', daily: [daily] })), [
      '/spendingLimits not_one_limit',
    ]);
  });

  it('has amounts above zero, with at most 7 decimal places', () => {
    for (const amount of ['0', '0.0000000']) {
      assert.deepEqual(problemsOf(limit({ dailyXlm: amount })), [
        '/spendingLimits/dailyXlm amount_not_positive',
      ]);
    }
    for (const amount of ['-1', '1e2', ' 1', '1.', '.5', '0.00000001', '']) {
      assert.deepEqual(problemsOf(limit({ dailyXlm: amount })), [
        '/spendingLimits/dailyXlm malformed_amount',
      ]);
    }
    assert.deepEqual(problemsOf(limit({ dailyXlm: 1 })), ['/spendingLimits/dailyXlm wrong_type']);
  });

  // C3: amounts were read with 7 places whatever the token had, so "2.5" of one with 6 became 25.
  it("has amounts with its token's decimal places", () => {
    const of = (amount: string, decimals: number | undefined) => {
      const daily = [{ asset: contract(2), amount }];
      const read = readDefinition(limit({ daily }), () => decimals);
      return read.ok && read.definition.type === 'spending_limit'
        ? read.definition.amount
        : !read.ok && read.problems.map(({ path, code }) => `${path} ${code}`);
    };
    assert.equal(of('2.5', 6), 2_500_000n);
    assert.equal(of('2.5', 7), 25_000_000n);
    assert.equal(of('0.000000000000000001', 18), 1n);
    assert.equal(of('3', 0), 3n);
    const at = '/spendingLimits/daily/0';
    assert.deepEqual(of('0.0000001', 6), [`${at}/amount malformed_amount`]);
    assert.deepEqual(of('0.5', 0), [`${at}/amount malformed_amount`]);
    assert.deepEqual(of('9', 38), [`${at}/amount malformed_amount`]);
    assert.deepEqual(of('1', undefined), [`${at}/asset not_a_token`]);
    // XLM has its own number of decimal places, whatever a token reports.
    const xlm = readDefinition(limit({ dailyXlm: '2.5' }), () => 6);
    assert.ok(xlm.ok && xlm.definition.type === 'spending_limit');
    assert.equal(xlm.definition.amount, 25_000_000n);
  });

  it('has a window of 24 hours, 7 days or 30 days', () => {
    const item = [{ asset: contract(2), amount: '1' }];
    const windows = [
      ['daily', 86_400n],
      ['weekly', 604_800n],
      ['monthly', 2_592_000n],
    ] as const;
    for (const [window, seconds] of windows) {
      const read = readDefinition(limit({ [window]: item }));
      assert.ok(read.ok && read.definition.type === 'spending_limit');
      assert.equal(read.definition.window, seconds);
    }
    assert.deepEqual(problemsOf(limit({ daily: item, weekly: item })), [
      '/spendingLimits not_one_limit',
    ]);
    assert.deepEqual(problemsOf(limit({ monthly: [] })), [
      '/spendingLimits not_one_limit',
      '/spendingLimits/monthly empty',
    ]);
  });

  it('can have a maximum for one payment, not above the limit and with its token’s decimal places', () => {
    const of = (perPayment: unknown) => ({ ...limit({ dailyXlm: '10' }), perPayment });
    const read = readDefinition(of('2.5'));
    assert.ok(read.ok && read.definition.type === 'spending_limit');
    assert.equal(read.definition.perPayment, 25_000_000n);
    assert.deepEqual(problemsOf(of('10')), []);
    const cases = [
      ['10.0000001', 'over_the_limit'],
      ['0', 'amount_not_positive'],
      ['-1', 'malformed_amount'],
      [1, 'wrong_type'],
      [null, 'wrong_type'],
    ] as const;
    for (const [perPayment, code] of cases) {
      assert.deepEqual(problemsOf(of(perPayment)), [`/perPayment ${code}`]);
    }
    const daily = [{ asset: contract(2), amount: '10' }];
    const six = readDefinition({ ...limit({ daily }), perPayment: '2.5' }, () => 6);
    assert.ok(six.ok && six.definition.type === 'spending_limit');
    assert.equal(six.definition.perPayment, 2_500_000n);
  });

  it('can have a sliding window, and a maximum number of payments in it', () => {
    const of = (more: object) => ({ ...limit({ dailyXlm: '10' }), ...more });
    const read = readDefinition(of({ sliding: true, maxPayments: 5 }));
    assert.ok(read.ok && read.definition.type === 'spending_limit');
    assert.deepEqual([read.definition.sliding, read.definition.maxPayments], [true, 5]);
    const neither = readDefinition(of({}));
    assert.ok(neither.ok && neither.definition.type === 'spending_limit');
    assert.deepEqual([neither.definition.sliding, neither.definition.maxPayments], [false, null]);
    assert.deepEqual(problemsOf(of({ maxPayments: 2 ** 32 - 1, sliding: false })), []);
    for (const maxPayments of [0, -1, 1.5, 2 ** 32, '5', null, Number.NaN]) {
      assert.deepEqual(problemsOf(of({ maxPayments })), ['/maxPayments not_a_count']);
    }
    for (const sliding of ['true', 1, null]) {
      assert.deepEqual(problemsOf(of({ sliding })), ['/sliding wrong_type']);
    }
    const list = { ...common, type: 'allow_list', signer: account(2), contracts: [contract(3)] };
    assert.deepEqual(problemsOf({ ...list, sliding: true }), ['/sliding unknown_member']);
  });

  it('can have recipients: accounts and contracts, each once, not the wallet, at most twenty', () => {
    const of = (recipients: unknown) => ({ ...limit({ dailyXlm: '10' }), recipients });
    const read = readDefinition(of([account(5), contract(6)]));
    assert.ok(read.ok && read.definition.type === 'spending_limit');
    assert.deepEqual(read.definition.recipients, [account(5), contract(6)]);
    const many = Array.from({ length: 21 }, (_, at) => account(at + 10));
    assert.deepEqual(problemsOf(of(many.slice(1))), []);
    assert.deepEqual(problemsOf(of(many)), ['/recipients too_many']);
    assert.deepEqual(problemsOf(of([])), ['/recipients empty']);
    assert.deepEqual(problemsOf(of(account(5))), ['/recipients wrong_type']);
    assert.deepEqual(problemsOf(of([account(5), account(5), contract(1), 'bob', 7])), [
      '/recipients/1 repeated',
      '/recipients/2 own_wallet',
      '/recipients/3 not_an_address',
      '/recipients/4 wrong_type',
    ]);
  });

  it('has one wallet, which is a contract', () => {
    const of = (owners: unknown) => ({ ...limit({ dailyXlm: '1' }), owners });
    assert.deepEqual(problemsOf(of([account(1)])), ['/owners/0 not_a_contract']);
    for (const owners of [[], [contract(1), contract(2)]]) {
      assert.deepEqual(problemsOf(of(owners)), ['/owners not_one_wallet']);
    }
    assert.deepEqual(problemsOf(of(contract(1))), ['/owners wrong_type']);
  });

  it('has no unknown members', () => {
    const misspelt = { ...limit({ dailyXlm: '1', weeklyXlm: '5' }), 'a/b': 1 };
    assert.deepEqual(problemsOf(misspelt), [
      '/a~1b unknown_member',
      '/spendingLimits/weeklyXlm unknown_member',
    ]);
  });

  it('gets a limited list of problems, however many members it has', () => {
    const names = Array.from({ length: 3_000 }, (_, n) => [`m${n}`, 1]);
    assert.equal(
      problemsOf({ ...limit({ dailyXlm: '1' }), ...Object.fromEntries(names) }).length,
      50,
    );
    const [long = ''] = problemsOf({ ...limit({ dailyXlm: '1' }), ['/'.repeat(30_000)]: 1 });
    assert.ok(long.length < 300, `${long.length} characters`);
  });

  it('[spec: Policy gateway/Signer limits] of signers names keys and contracts, each once', () => {
    const multisig = { ...common, type: 'multisig', signer: account(3), contracts: [contract(2)] };
    assert.deepEqual(problemsOf({ ...multisig, coSigners: [account(4)] }), []);
    assert.deepEqual(
      problemsOf({ ...multisig, coSigners: [account(4), account(4), contract(1)] }),
      ['/coSigners/1 repeated', '/coSigners/2 not_an_account'],
    );
    // The key's own signature would count as the other one, so nobody else would have to sign.
    assert.deepEqual(problemsOf({ ...multisig, coSigners: [account(3)] }), [
      '/coSigners/0 repeated',
    ]);
    const many = [1, 2, 3, 4, 5, 6].map(account);
    assert.deepEqual(problemsOf({ ...multisig, coSigners: many }), ['/coSigners too_many']);
    assert.deepEqual(problemsOf({ ...multisig, contracts: [], coSigners: undefined }), [
      '/contracts empty',
      '/coSigners required',
    ]);
  });

  it('of any other form is refused with a reason', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const read = readDefinition(value);
        assert.ok(!read.ok && read.problems.length > 0);
      }),
    );
    assert.deepEqual(problemsOf({ ...common, type: 'toString' }), ['/type unknown_type']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PAYER } from '../../../../test/support/payment.ts';
import { testClock } from '../../../../test/support/testClock.ts';
import { parseContractAddress } from '../../../protocol/index.ts';
import { type Commitment, type Holding, PayerFunds, type SharedFunds } from './payerFunds.ts';

const ASSET = parseContractAddress('CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA');
const turns = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** A ledger with one balance, and payments that ask for it. */
function world(held: bigint | undefined, shared?: SharedFunds, most = 25) {
  const clock = testClock();
  const funds = new PayerFunds(clock, shared);
  const ledger = { held, sequence: 100, readings: 0 };
  let ids = 0;
  const ask = (amount: bigint, id = `payment ${ids++}`) => {
    assert.ok(ASSET);
    return funds.commit({
      id,
      payer: PAYER.address,
      asset: ASSET,
      amount,
      waitMs: 10_000,
      most,
      async readHolding(): Promise<Holding> {
        ledger.readings++;
        return { held: ledger.held, ledger: ledger.sequence };
      },
    });
  };
  const committed = async (amount: bigint): Promise<Commitment> => {
    const answer = await ask(amount);
    assert.equal(answer.status, 'committed');
    return answer.status === 'committed' ? answer.commitment : assert.fail();
  };
  return { clock, ledger, ask, committed };
}

describe('A payer’s payments go to the ledger only as far as its funds cover them', () => {
  it('a single payment needs no read: its simulation shows the funds', async () => {
    const { ledger, committed } = world(0n);
    (await committed(5n)).close(101);
    await committed(5n);
    assert.equal(ledger.readings, 0);
  });

  it('one read covers further ones as long as it suffices', async () => {
    const { ledger, committed } = world(10n);
    for (let i = 0; i < 5; i++) await committed(2n);
    assert.equal(ledger.readings, 1);
  });

  it('one that is not covered waits, and is submitted if another moved nothing', async () => {
    const { ask, committed } = world(3n);
    const first = await committed(2n);
    const second = ask(2n);
    await turns();
    first.close(undefined);
    assert.equal((await second).status, 'committed');
  });

  it('one that is not covered is refused once the money has gone', async () => {
    const { ledger, ask, committed } = world(3n);
    const first = await committed(2n);
    const second = ask(2n);
    await turns();
    Object.assign(ledger, { held: 1n, sequence: 101 });
    first.close(101);
    // With nothing else in flight, the simulation shows it.
    assert.equal((await second).status, 'committed');
    const third = await ask(2n);
    assert.deepEqual(third, { status: 'lacking', held: 1n });
  });

  it('a read from before the ledger in which another moved does not show that money', async () => {
    const { ledger, ask, committed } = world(4n);
    const [first, second] = [await committed(2n), await committed(1n)];
    first.close(101);
    // This server is still at ledger 100.
    const third = ask(2n);
    await turns();
    Object.assign(ledger, { held: 2n, sequence: 101 });
    second.close(undefined);
    assert.equal((await third).status, 'committed');
  });

  it('waiting ones are served in order of arrival, and not for ever', async () => {
    const { clock, ask, committed } = world(2n);
    const first = await committed(2n);
    const order: string[] = [];
    const [second, third] = ['second', 'third'].map((name) =>
      ask(1n, name).then((answer) => {
        order.push(`${name} ${answer.status}`);
        return answer;
      }),
    );
    await turns();
    first.close(undefined);
    await second;
    await third;
    assert.deepEqual(order, ['second committed', 'third committed']);
    const fourth = ask(1n);
    const fifth = ask(1n);
    await turns();
    clock.advance(10_001);
    await turns();
    assert.deepEqual(await Promise.all([fourth, fifth]), [{ status: 'busy' }, { status: 'busy' }]);
  });

  it('without a read they go one at a time', async () => {
    const { ask, committed } = world(undefined);
    const first = await committed(1n);
    const second = ask(1n);
    let done = false;
    void second.then(() => {
      done = true;
    });
    await turns();
    assert.equal(done, false);
    first.close(101);
    assert.equal((await second).status, 'committed');
  });

  it('no more than the count at once, however large the funds', async () => {
    const { ask, committed } = world(1_000n, undefined, 3);
    const open = [await committed(1n), await committed(1n), await committed(1n)];
    const fourth = ask(1n);
    let done = false;
    void fourth.then(() => {
      done = true;
    });
    await turns();
    assert.equal(done, false);
    open[0]?.close(101);
    assert.equal((await fourth).status, 'committed');
  });

  it('funds in flight in other instances are not available', async () => {
    const waits: [string, boolean][] = [];
    const elsewhere = { count: 1, amount: 4n };
    const { ask, clock } = world(5n, {
      underWay: async () => elsewhere,
      waits: async (id, waiting) => {
        waits.push([id, waiting]);
      },
    });
    assert.equal((await ask(1n)).status, 'committed');
    const second = ask(1n, 'second');
    await turns();
    assert.deepEqual(waits, [['second', true]]);
    Object.assign(elsewhere, { count: 0, amount: 0n });
    clock.advance(1_000);
    assert.equal((await second).status, 'committed');
    assert.deepEqual(waits.at(-1), ['second', false]);
  });

  it('in any order of events, the funds reserved for concurrent payments never exceed the balance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 0n, max: 20n }),
        fc.array(fc.bigInt({ min: 1n, max: 8n }), { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(fc.nat(30), fc.boolean()), { maxLength: 40 }),
        async (start, amounts, ends) => {
          const { clock, ledger, ask } = world(start);
          const open: { amount: bigint; commitment: Commitment }[] = [];
          let most = 0n;
          const answers = amounts.map(async (amount) => {
            const answer = await ask(amount);
            if (answer.status !== 'committed') return;
            open.push({ amount, commitment: answer.commitment });
            const sum = open.reduce((total, one) => total + one.amount, 0n);
            if (open.length > 1 && sum > (ledger.held ?? 0n)) most = sum;
          });
          for (const [at, moves] of ends) {
            await turns();
            const [ended] = open.splice(at % Math.max(1, open.length), 1);
            if (ended === undefined) continue;
            const covered = moves && ended.amount <= (ledger.held ?? 0n);
            if (covered) {
              ledger.held = (ledger.held ?? 0n) - ended.amount;
              ledger.sequence++;
            }
            ended.commitment.close(covered ? ledger.sequence : undefined);
          }
          await turns();
          clock.advance(20_000);
          await turns();
          for (const { commitment } of open.splice(0)) commitment.close(undefined);
          clock.advance(20_000);
          await Promise.all(answers);
          assert.equal(most, 0n);
        },
      ),
      { numRuns: 60 },
    );
  });
});

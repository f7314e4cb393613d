import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testClock } from '../../../../test/support/testClock.ts';
import { CONFIG_DEFAULTS, type SpendControlsConfig } from '../../config.ts';
import { silentLogger } from '../../logger.ts';
import { createSpendControls, type SpendRefusal, sumFees } from './spendControls.ts';

/** What a settlement of a wallet that burns instructions was measured to cost, and an ordinary one, in stroops. */
const BURNT = 293_000n;
const ORDINARY = 50_200n;
const WORST = 500_000n;
const MINUTE_MS = 60_000;

function serving(
  config: Partial<SpendControlsConfig> = {},
  { listed = [] as readonly string[], elsewhere = sumFees([]) } = {},
) {
  const clock = testClock(1_780_000_000_000);
  const controls = createSpendControls({
    config: {
      ...CONFIG_DEFAULTS.spendControls,
      enforced: true,
      clientFeesPerMinuteStroops: 10n ** 12n,
      payToPerMinute: 1_000_000,
      urlPerMinute: 1_000_000,
      ...config,
    },
    clock,
    isBound: (payTo) => listed.includes(payTo),
    onRefusal: () => undefined,
    feesElsewhere: () => elsewhere,
  });
  const open = (client: string, payTo: string, url?: string) =>
    controls.open({ client, payTo, url }, WORST, silentLogger);
  /** Settles at this fee; returns the refusal, if there is one. */
  function settle(client: string, payTo: string, fee: bigint, url?: string) {
    const opened = open(client, payTo, url);
    if (typeof opened === 'string') return opened;
    opened.close(fee);
    return undefined;
  }
  /** Settles as often as it is allowed, each time for another recipient. */
  function exhaust(client: string, payTo: (n: number) => string = (n) => `${client}'s ${n}`) {
    for (let n = 0; ; n++) {
      const refusal = settle(client, payTo(n), BURNT);
      if (refusal !== undefined) return { count: n, refusal };
      assert.ok(n < 10_000, 'no budget ended it');
    }
  }
  return { clock, controls, open, settle, exhaust };
}

describe('One stranger’s spending never closes another’s', () => {
  it('of recipients outside the catalog: it gets a sixth of the budget, and others settle as before', () => {
    const { exhaust, settle } = serving();
    const { count, refusal } = exhaust('stranger');
    assert.equal(refusal, 'unbound_pool_exhausted');
    // A sixth of 10 XLM.
    assert.ok(count > 50 && count <= 57, `${count}`);
    assert.equal(settle('honest', 'seller', ORDINARY), undefined);
    assert.equal(settle('stranger', 'seller', ORDINARY), 'unbound_pool_exhausted');
  });

  it('with listings of its own: it gets a sixth of the day, and others settle as before', () => {
    const own = Array.from({ length: 130 }, (_, n) => `own ${n}`);
    const { exhaust, settle } = serving({}, { listed: [...own, 'seller'] });
    const { count, refusal } = exhaust('stranger', (n) => `own ${n % own.length}`);
    assert.equal(refusal, 'spend_ceiling');
    assert.ok(count > 550 && count <= 569, `${count}`);
    assert.equal(settle('honest', 'seller', ORDINARY), undefined);
    assert.equal(settle('newcomer', 'nobody yet', ORDINARY), undefined);
  });

  it('forty strangers at once leave a newcomer a share', () => {
    const { exhaust, settle } = serving();
    for (let n = 0; n < 40; n++) exhaust(`stranger ${n}`);
    for (let n = 0; n < 10; n++) assert.equal(settle('honest', 'seller', ORDINARY), undefined);
  });

  it('by naming a seller’s recipient and resource: each client has a rate of its own', () => {
    const { settle } = serving({ payToPerMinute: 30, urlPerMinute: 30 });
    const url = 'https://api.example/weather';
    for (let n = 0; n < 30; n++) settle('stranger', 'seller', ORDINARY, url);
    assert.equal(settle('stranger', 'seller', ORDINARY, url), 'rate_limited_payto');
    assert.equal(settle('stranger', 'other', ORDINARY, url), 'rate_limited_url');
    assert.equal(settle('honest', 'seller', ORDINARY, url), undefined);
  });

  it('nor one recipient’s another’s, behind one client', () => {
    const { settle } = serving({}, { listed: ['greedy', 'modest'] });
    let refusal: SpendRefusal | undefined;
    while (refusal === undefined) refusal = settle('platform', 'greedy', BURNT);
    assert.equal(refusal, 'spend_ceiling');
    assert.equal(settle('platform', 'modest', ORDINARY), undefined);
  });

  it('nor does it forget its own counts by naming thousands of others', () => {
    const { settle } = serving({ payToPerMinute: 30 });
    for (let n = 0; n < 30; n++) settle('stranger', 'one', ORDINARY);
    for (let n = 0; n < 11_000; n++) settle('stranger', `other ${n}`, 1n);
    assert.equal(settle('stranger', 'one', ORDINARY), 'rate_limited_payto');
    assert.equal(settle('honest', 'seller', ORDINARY), undefined);
  });

  it('nor by what it spent at another instance or before a restart', () => {
    const elsewhere = sumFees([
      { client: 'stranger', payTo: 'a', fees: 400_000_000n },
      { client: 'stranger', payTo: 'b', fees: 200_000_000n },
      { client: undefined, payTo: undefined, fees: 1n },
    ]);
    const { settle } = serving({}, { listed: ['seller'], elsewhere });
    assert.equal(settle('stranger', 'seller', ORDINARY), 'spend_ceiling');
    assert.equal(settle('honest', 'seller', ORDINARY), undefined);
  });
});

describe('What one client costs the sponsor', () => {
  it('in any minute is at most its setting, at the fees that the ledger charged', () => {
    const { clock, settle } = serving({
      clientFeesPerMinuteStroops: 10_000_000n,
      unboundFeesPerDayStroops: 10n ** 12n,
      feesPerDayStroops: 10n ** 12n,
    });
    const spent: (readonly [number, bigint])[] = [];
    for (let second = 0; second < 600; second++) {
      for (let n = 0; n < 5; n++) {
        if (settle('stranger', `${second} ${n}`, BURNT) === undefined) spent.push([second, BURNT]);
      }
      clock.advance(1_000);
    }
    for (let from = 0; from < 600; from++) {
      const inMinute = spent.filter(([second]) => second >= from && second < from + 60);
      const sum = inMinute.reduce((total, [, fee]) => total + fee, 0n);
      assert.ok(sum <= 10_000_000n, `${sum} from second ${from}`);
    }
    assert.ok(spent.length > 200, `${spent.length}`);
  });

  it('counts an ordinary success at its fee, and not at the highest possible one', () => {
    const { settle, clock } = serving({ clientFeesPerMinuteStroops: 10_000_000n });
    let settled = 0;
    while (settle('seller’s server', 'seller', ORDINARY) === undefined) settled += 1;
    assert.ok(settled >= 189, `${settled}`);
    clock.advance(MINUTE_MS + 10_000);
    assert.equal(settle('seller’s server', 'seller', ORDINARY), undefined);
  });

  it('includes what is in flight, at the highest possible fee', () => {
    const { open } = serving({ clientFeesPerMinuteStroops: 10_000_000n });
    for (let n = 0; n < 20; n++) assert.equal(typeof open('stranger', `${n}`), 'object');
    assert.equal(open('stranger', 'one more'), 'rate_limited_client');
    assert.equal(typeof open('honest', 'seller'), 'object');
  });

  it('is nothing for what was not submitted: everything is given back', () => {
    const { settle } = serving({ payToPerMinute: 1, urlPerMinute: 1 });
    for (let n = 0; n < 100; n++) {
      assert.equal(settle('honest', 'seller', 0n, 'https://api.example/x'), undefined);
    }
  });

  it('includes settlements that an earlier run opened', () => {
    const { controls, settle } = serving({}, { listed: ['seller'] });
    controls.charge({ client: 'stranger', payTo: 'seller' }, 600_000_000n);
    assert.equal(settle('stranger', 'another', ORDINARY), 'spend_ceiling');
    assert.equal(settle('honest', 'seller', ORDINARY), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attack, Facts, Thing } from './attack.ts';
import { runAttacks, type Watched } from './runAttacks.ts';

/** A world whose facts the attacks themselves set. */
class Small implements Watched {
  readonly #facts: Record<Thing, string> = {
    catalog: '1 entry',
    settlements: '0',
    policies: '0',
    ledger: '5',
    sponsor: '100',
    files: 'a',
    'inner network': '0',
    process: 'alive',
  };
  #leaks: string[] = [];

  set(thing: Thing, value: string): void {
    this.#facts[thing] = value;
  }

  leak(what: string): void {
    this.#leaks.push(what);
  }

  facts(): Promise<Facts> {
    return Promise.resolve({ ...this.#facts });
  }

  leaks(): readonly string[] {
    const found = this.#leaks;
    this.#leaks = [];
    return found;
  }
}

async function tryOne(attack: Partial<Attack<Small>>, together = false) {
  const printed: string[] = [];
  const whole = { name: 'one', refused: '403', run: async () => '403', ...attack };
  const report = await runAttacks(
    [{ kind: 'kind', together, attacks: [whole] }],
    new Small(),
    (line) => printed.push(line),
  );
  return { report, printed };
}

describe('The runner of attacks', () => {
  it('an attack with the expected answer and no change counts as refused', async () => {
    const { report, printed } = await tryOne({});
    assert.deepEqual(report, { attacks: 1, refused: 1, through: [] });
    assert.deepEqual(printed, [
      'refused  kind: one → 403 (untouched: all)',
      '1 attacks, 1 refused, 0 got through',
    ]);
  });

  it('one with another answer counts as successful', async () => {
    const { report, printed } = await tryOne({ run: async () => '200' });
    assert.deepEqual(report.through, ['kind: one']);
    assert.match(printed[0] ?? '', /^GOT THROUGH {2}kind: one: expected 403, saw 200$/);
    assert.equal(printed[1], '1 attacks, 0 refused, 1 got through');
  });

  it('so does one that is refused in words but changed something', async () => {
    for (const together of [false, true]) {
      const run = async (world: Small) => {
        world.set('sponsor', '99');
        return '403';
      };
      const { report, printed } = await tryOne({ run }, together);
      assert.equal(report.refused, 0);
      assert.match(printed[0] ?? '', /sponsor changed: 100 became 99/);
    }
  });

  it('unless it is allowed to change that, and changes nothing else', async () => {
    const run = async (world: Small) => {
      world.set('ledger', '6');
      return '403';
    };
    assert.equal((await tryOne({ run, changes: ['ledger'] })).report.refused, 1);
    assert.equal((await tryOne({ run, changes: ['catalog'] })).report.refused, 0);
  });

  it('so does one after which a secret or a stack trace was found', async () => {
    const run = async (world: Small) => {
      world.leak('a stack trace in an answer');
      return '403';
    };
    const { report, printed } = await tryOne({ run });
    assert.equal(report.refused, 0);
    assert.match(printed[0] ?? '', /a stack trace in an answer/);
  });

  it('an attack that breaks off does not count as refused', async () => {
    const run = async (): Promise<string> => {
      throw new Error('ECONNREFUSED');
    };
    const { report, printed } = await tryOne({ run });
    assert.equal(report.refused, 0);
    assert.match(printed[0] ?? '', /saw the attack broke off: ECONNREFUSED/);
  });
});

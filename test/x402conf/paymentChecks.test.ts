import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { USDC_CONTRACT } from '../../src/protocol/index.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { sellerInstalled, startPaidSeller } from '../support/paidSeller.ts';
import { type StellarPayments, startStellarPayments } from './stellarPayments.ts';

const program = fileURLToPath(new URL('paymentChecks.py', import.meta.url));
const python = process.env['PYTHON'] ?? 'python3';
const found = spawnSync(python, ['-c', 'import x402conf'], { stdio: 'ignore' }).status === 0;
const skip = found
  ? false
  : `${python} has no package x402-conformance: npm run lab -- python installs it`;
/** Long enough to settle, and short enough to wait for a payment that stays undecided. */
const ANSWER_WITHIN_MS = 5_000;

interface Check {
  readonly check: string;
  readonly pass: boolean;
  readonly detail?: unknown;
}

/** A check that fails: whose fault that is, and why. A row is removed with its fix. */
interface Known {
  readonly whose: 'ours' | 'theirs';
  readonly because: string;
  /** It depends on the moment. */
  readonly sometimes?: boolean;
}

/** By what buyer and seller say about the sale: nothing; the buyer alone names it; the seller declared that it recognizes sales. */
const MODES: Readonly<Record<string, Readonly<Record<string, Known>>>> = {
  none: {},
  undeclared: {},
  declared: {
    F3: {
      whose: 'theirs',
      because:
        'a repeated response counts as a second settlement; I1 compares the balance, and one payment was made',
    },
  },
};

/** Checks that pass without a pending payment too, and would then prove nothing. */
const WITH_A_PENDING_PAYMENT = ['F5', 'F7', 'F8'];

function firstReason(checks: readonly Check[], name: string): string | undefined {
  const { detail } = checks.find((each) => numberOf(each) === name) ?? {};
  const { first, got } = detail as Record<'first' | 'got', { errorReason?: string } | undefined>;
  return (first ?? got)?.errorReason;
}

async function python3(args: readonly string[]): Promise<string> {
  const child = spawn(python, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  return text(child.stdout);
}

/** A network with a facilitator, and what makes payments on it. */
interface Place {
  readonly stack: LocalStack;
  readonly payments: StellarPayments;
}

async function openPlace(round: string): Promise<Place> {
  const stack = await startLocalStack({ answerWithinMs: ANSWER_WITHIN_MS });
  return { stack, payments: await startStellarPayments(stack, round) };
}

async function runPaymentChecks(
  { stack, payments }: Place,
  identifiers: string,
): Promise<readonly Check[]> {
  const { url } = stack.facilitator;
  const places = [url, payments.url, payments.payTo, USDC_CONTRACT];
  const output = await python3([program, ...places, identifiers]);
  return (JSON.parse(output) as { checks: Check[] }).checks;
}

/** The number of a check, such as F3. */
const numberOf = ({ check }: Check) => check.split(' ')[0] ?? '';

describe('x402-conformance 1.6.0, on real payments', () => {
  const places = new Map<string, Place>();
  const reports = new Map<string, Promise<readonly Check[]>>();
  before(async () => {
    if (!found) return;
    // One after the other, because a start keeps this process busy; the checks themselves mostly wait.
    for (const identifiers of Object.keys(MODES))
      places.set(identifiers, await openPlace(identifiers));
    for (const [identifiers, place] of places) {
      reports.set(identifiers, runPaymentChecks(place, identifiers));
    }
  });
  after(async () => {
    for (const { stack, payments } of places.values()) {
      await payments.close();
      await stack.close();
    }
  });

  for (const [identifiers, known] of Object.entries(MODES)) {
    it(`F1 to F14 and S5, identifiers ${identifiers}: each passes, or its failure has a name`, {
      skip,
    }, async (t) => {
      const checks = (await reports.get(identifiers)) ?? [];
      assert.ok(checks.length >= 16, `${checks.length}`);
      for (const name of WITH_A_PENDING_PAYMENT) {
        assert.equal(firstReason(checks, name), 'settlement_pending');
      }
      const failed = checks.filter(({ pass }) => !pass);
      for (const each of failed) {
        const name = known[numberOf(each)];
        const words =
          name === undefined ? JSON.stringify(each.detail) : `${name.whose}: ${name.because}`;
        t.diagnostic(`${each.check}: ${words}`);
      }
      const unnamed = failed.filter((each) => known[numberOf(each)] === undefined);
      assert.deepEqual(unnamed, []);
      const fixed = Object.entries(known)
        .filter(
          ([name, { sometimes }]) => !sometimes && !failed.some((each) => numberOf(each) === name),
        )
        .map(([name]) => name);
      assert.deepEqual(fixed, [], 'these pass now: remove their rows');
    });
  }

  it('S0 to S4: what the service supports', { skip }, async () => {
    const url = places.get('none')?.stack.facilitator.url ?? '';
    assert.deepEqual(failuresIn(JSON.parse(await python3(['-m', 'x402conf', 'live', url]))), []);
  });

  it('P1 to P7: a 402 of a seller on the published packages', {
    skip: skip || (sellerInstalled ? false : 'examples/paid-api has no packages'),
  }, async () => {
    const { stack, payments } = places.get('none') as Place;
    const seller = await startPaidSeller({
      facilitatorUrl: stack.facilitator.url,
      payTo: payments.payTo,
    });
    try {
      const report = await python3(['-m', 'x402conf', 'resource', seller.url]);
      assert.deepEqual(failuresIn(JSON.parse(report)), []);
    } finally {
      await seller.stop();
    }
  });
});

/** Failed checks anywhere in a report of the tool; throws if it has none at all. */
function failuresIn(report: unknown): readonly Check[] {
  const checks: Check[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('check' in value && 'pass' in value) checks.push(value as Check);
    for (const each of Object.values(value)) visit(each);
  };
  visit(report);
  assert.ok(checks.length > 0, JSON.stringify(report));
  return checks.filter(({ pass }) => !pass);
}

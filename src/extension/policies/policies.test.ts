import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_CONTRACT, XLM_CONTRACT } from '../../protocol/index.ts';
import type { ReconciledPolicyRecord } from '../../protocol/policies/index.ts';
import { moment } from '../words/index.ts';
import { budgetAt, ledgerNow } from './budget.ts';
import { whatIsWrongWithCap, whatIsWrongWithContract, whatIsWrongWithKey } from './capProblem.ts';
import type { KeyPolicy } from './keyPolicy.ts';
import type { LedgerLimit, LedgerPolicy } from './ledgerPolicy.ts';
import { limitLabel, limitState, limitType, standingWords } from './limitWords.ts';
import { enforcementWords, gatewayWords, shownPolicies } from './policyView.ts';
import {
  budgetWords,
  policyLabel,
  reservedWords,
  resetWords,
  timeUntil,
  windowWords,
} from './policyWords.ts';

const DAY = 86_400n;
const none: ReadonlySet<string> = new Set();
const noLimits: ReadonlyMap<string, KeyPolicy> = new Map();
/** A fixed window, as the contract stores it. */
type Fixed = { readonly start: bigint; readonly spent: bigint } | undefined;
const limit = (window: Fixed, token = USDC_CONTRACT): LedgerLimit => ({
  token,
  upto: undefined,
  limit: 2_500_000n,
  windowSeconds: DAY,
  sliding: false,
  maxPayments: undefined,
  perPayment: undefined,
  recipients: undefined,
  window:
    window === undefined
      ? { start: 0n, parts: [] }
      : { start: window.start, parts: [{ spent: window.spent, payments: 0 }] },
});
const policy = (of: Partial<LedgerPolicy>): LedgerPolicy => ({
  contractId: 'CPOLICY',
  wasmHash: 'ab',
  limit: undefined,
  registry: undefined,
  ...of,
});

function record(state: string, contractId = 'CPOLICY'): ReconciledPolicyRecord {
  const contract = { contractId, wasmHash: 'ab' };
  const label = 'A policy contract of its own.';
  return {
    policy: { id: `pol_${contractId}`, state, contract, enforcementLabel: label },
    deployTxHash: null,
    attachTxHash: null,
  } as unknown as ReconciledPolicyRecord;
}

describe('[spec: Limits/Spending-limit window] the displayed budget', () => {
  it('is the full limit before the first payment, without a pending reset', () => {
    const budget = budgetAt(limit(undefined), 1_000n);
    assert.deepEqual(budget, {
      limit: 2_500_000n,
      spent: 0n,
      left: 2_500_000n,
      paymentsLeft: undefined,
      resetsAt: undefined,
    });
  });

  it('is the window’s remainder until the window is over, to the second', () => {
    const used = limit({ start: 1_000n, spent: 1_000_000n });
    assert.deepEqual(budgetAt(used, 1_000n + DAY - 1n), {
      limit: 2_500_000n,
      spent: 1_000_000n,
      left: 1_500_000n,
      paymentsLeft: undefined,
      resetsAt: 1_000n + DAY,
    });
    assert.equal(budgetAt(used, 1_000n + DAY).left, 2_500_000n);
    assert.equal(budgetAt(used, 1_000n + DAY).resetsAt, undefined);
  });

  it('is zero when all is spent, and full after a payment whose ceiling was released', () => {
    assert.equal(budgetAt(limit({ start: 0n, spent: 2_500_000n }), 5n).left, 0n);
    assert.equal(budgetAt(limit({ start: 0n, spent: 0n }), 5n).resetsAt, undefined);
  });

  it('is zero, not negative, if the owner lowered the limit below what was spent', () => {
    assert.equal(budgetAt(limit({ start: 0n, spent: 9_000_000n }), 5n).left, 0n);
  });

  it('of a sliding window returns part by part, with its payments', () => {
    const part = DAY / 12n;
    const parts = Array.from({ length: 13 }, (_, at) => ({ spent: 0n, payments: 0, at }));
    const [newest, , older] = parts;
    Object.assign(newest ?? {}, { spent: 1_000_000n, payments: 2 });
    Object.assign(older ?? {}, { spent: 500_000n, payments: 1 });
    const window = { start: 100n, parts };
    const sliding = { ...limit(undefined), sliding: true, maxPayments: 5, window };
    const now = 100n * part + 7n;
    const gone = (98n + 13n) * part;
    const before = budgetAt(sliding, now);
    assert.deepEqual([before.spent, before.paymentsLeft, before.resetsAt], [1_500_000n, 2, gone]);
    assert.equal(budgetAt(sliding, gone - 1n).spent, 1_500_000n);
    const after = budgetAt(sliding, gone);
    assert.deepEqual([after.spent, after.paymentsLeft], [1_000_000n, 3]);
    assert.equal(after.resetsAt, gone + 2n * part);
    assert.equal(budgetAt(sliding, gone + 2n * part).spent, 0n);
    const words = budgetWords(policy({ limit: sliding }), gone - 60n);
    assert.equal(words, '0.1 USDC left · more in 1 min');
  });

  it('is computed at the ledger’s time, which can be ahead of this machine’s', () => {
    assert.equal(ledgerNow(100n, 50_999), 100n);
    assert.equal(ledgerNow(100n, 150_999), 150n);
  });
});

describe('the description of a policy', () => {
  it('names cap and token, or the type', () => {
    assert.equal(policyLabel(policy({ limit: limit(undefined) })), 'Limit 0.25 USDC');
    assert.match(policyLabel(policy({ limit: limit(undefined, XLM_CONTRACT) })), / XLM$/);
    assert.equal(policyLabel(policy({ registry: 'CREG' })), 'Verified recipients only');
    assert.equal(windowWords(3_600n), '1 hour');
    assert.equal(windowWords(90n), '90 seconds');
  });

  it('says exactly what is left, and when the window ends', () => {
    const used = policy({ limit: limit({ start: 0n, spent: 1_000_001n }) });
    assert.equal(budgetWords(used, DAY - 3n * 3_600n), '0.1499999 USDC left · resets in 3 h');
    assert.equal(budgetWords(used, DAY), '0.25 USDC left');
    assert.equal(budgetWords(policy({ registry: 'CREG' }), 0n), 'has no amount limit');
    assert.match(budgetWords(policy({ wasmHash: undefined }), 0n), /archived or no longer exists/);
  });

  it('says roughly how long until the reset, and the local time', () => {
    const cases: [bigint, string][] = [
      [59n, 'in less than a minute'],
      [60n, 'in 1 min'],
      [3_599n, 'in 59 min'],
      [3n * 3_600n, 'in 3 h'],
      [47n * 3_600n, 'in 47 h'],
      [72n * 3_600n, 'in 3 days'],
    ];
    for (const [seconds, words] of cases) assert.equal(timeUntil(seconds), words);
    const budget = budgetAt(limit({ start: 1_700_000_000n, spent: 1n }), 1_700_000_000n);
    const local = moment(new Date(1_700_086_400_000));
    assert.equal(resetWords(budget, 1_700_000_000n), `${local}, in 24 h`);
    assert.match(resetWords(budgetAt(limit(undefined), 0n), 0n), /next payment/);
  });

  it('shows no reservation after its transaction', () => {
    assert.match(reservedWords(undefined), /^none: it allows only direct transfers$/);
    assert.match(reservedWords('CUPTO'), /not returned counts as spent/);
  });
});

describe('[spec: Policy lifecycle/Inert] the displayed policies', () => {
  it('are the account’s own, according to the ledger, whatever the gateway says', () => {
    const [shown] = shownPolicies([policy({})], undefined, none, noLimits);
    assert.equal(shown?.stage, 'attached');
    assert.equal(shown && gatewayWords(shown, false), "unknown: the gateway isn't responding");
    const [unknown] = shownPolicies([policy({})], [], none, noLimits);
    assert.equal(unknown && gatewayWords(unknown, true), 'not known to this gateway');
    const [unrecorded] = shownPolicies([policy({})], [record('deployed')], none, noLimits);
    assert.equal(unrecorded && gatewayWords(unrecorded, true), 'deployed, attach not recorded');
  });

  it('include those not attached yet, and separately those that were revoked', () => {
    const kept = ['generated', 'deploying', 'deployed', 'recorded'].map((state) =>
      record(state, `C${state}`),
    );
    assert.deepEqual(
      shownPolicies([], [...kept, record('deployed', 'CGONE')], new Set(['CGONE']), noLimits).map(
        (shown) => [shown.stage, gatewayWords(shown, true)],
      ),
      [
        ['created', 'created, not deployed'],
        ['deploying', 'being deployed'],
        ['deployed', 'deployed, not attached: it limits nothing yet'],
        ['revoked', 'deployed, revoked: it no longer limits anything'],
        ['revoked', 'deployed, revoked: it no longer limits anything'],
      ],
    );
  });

  it('[spec: Policy gateway/GET /policies/templates] claim enforcement only for the deployed module', () => {
    const [known] = shownPolicies([policy({})], [record('recorded')], none, noLimits);
    assert.equal(known && enforcementWords(known), 'A policy contract of its own.');
    const [other] = shownPolicies(
      [policy({ wasmHash: 'cd' })],
      [record('recorded')],
      none,
      noLimits,
    );
    assert.match((other && enforcementWords(other)) ?? '', /module that the gateway deployed/);
    const [stranger] = shownPolicies([policy({})], [], none, noLimits);
    assert.match((stranger && enforcementWords(stranger)) ?? '', /unknown/);
  });
});

describe('[spec: Policy gateway/Signer limits] limits of a key, which the account itself enforces', () => {
  const key = `G${'A'.repeat(55)}`;
  const limits = (of: Partial<KeyPolicy>): KeyPolicy =>
    ({ key, contracts: [USDC_CONTRACT], coSigners: [], held: 'yes', ...of }) as KeyPolicy;
  const kept = (state: string, account = 'known') =>
    ({
      policy: { id: 'pol_1', state, contract: null, enforcementLabel: 'The account’s own.' },
      deployTxHash: null,
      attachTxHash: null,
      ledger: { deployed: true, attached: true, account },
    }) as unknown as ReconciledPolicyRecord;
  const show = (of: KeyPolicy, state = 'recorded', revoked = none, account = 'known') => {
    const [shown] = shownPolicies([], [kept(state, account)], revoked, new Map([['pol_1', of]]));
    assert.ok(shown);
    return shown;
  };

  it('are attached while the account has the key with exactly these limits, whatever is recorded', () => {
    const held = show(limits({}));
    assert.deepEqual([held.stage, held.id, held.contractId], ['attached', 'pol_1', undefined]);
    assert.equal(gatewayWords(held, true), 'recorded');
    const unrecorded = show(limits({}), 'generated');
    assert.equal(gatewayWords(unrecorded, true), 'generated, attach not recorded');
    const other = show(limits({ held: 'other' }), 'generated');
    assert.equal(other.stage, 'created');
    assert.match(gatewayWords(other, true), /holds the key with other limits/);
    const created = show(limits({ held: 'no' }), 'generated');
    assert.match(gatewayWords(created, true), /the key can do nothing yet/);
  });

  it('are revoked if the gateway knew them as attached, or they were revoked here', () => {
    assert.equal(show(limits({ held: 'no' })).stage, 'revoked');
    assert.equal(show(limits({ held: 'no' }), 'generated', new Set(['pol_1'])).stage, 'revoked');
  });

  it('are claimed to be enforced only by an account whose module the gateway knows', () => {
    assert.equal(enforcementWords(show(limits({}))), 'The account’s own.');
    const other = show(limits({}), 'recorded', none, 'other');
    assert.match(enforcementWords(other), /runs a module that this gateway doesn.t know/);
  });

  it('are shown with the key, what it can call, and who must co-sign', () => {
    assert.equal(limitLabel(limits({})), 'GAAA…AAAA: only USDC');
    assert.equal(limitType(limits({})), 'Allowed contracts');
    const coSigners = [
      { key: 'G2', standing: 'co-signer' },
      { key: 'G3', standing: 'missing' },
    ] as const;
    const many = limits({ contracts: [USDC_CONTRACT, XLM_CONTRACT], coSigners } as object);
    assert.equal(limitLabel(many), 'GAAA…AAAA: only USDC, XLM, with 2 other keys');
    assert.equal(limitType(many), 'Several signatures');
    assert.equal(limitState(many), 'can do nothing: a key that must sign is not in the account');
    assert.equal(limitState(limits({})), 'has no amount limit');
    assert.deepEqual(coSigners.map(standingWords), ['can do nothing alone', 'not in the account']);
    assert.match(standingWords({ key: 'G4', standing: 'owner' }), /can act alone/);
  });
});

describe('[spec: Limits/Decimals] typed values are checked', () => {
  it('a cap is above zero and has at most seven decimals', () => {
    for (const right of ['10', '0.5', '0.0000001', ' 3 ']) {
      assert.equal(whatIsWrongWithCap(right, 'XLM'), undefined, right);
    }
    assert.match(whatIsWrongWithCap('', 'USDC') ?? '', /amount of USDC/);
    assert.match(whatIsWrongWithCap('0', 'XLM') ?? '', /greater than zero/);
    assert.match(whatIsWrongWithCap('0.00000001', 'XLM') ?? '', /7 decimal/);
    for (const wrong of ['-1', '1e3', '1,5', 'ten']) {
      assert.match(whatIsWrongWithCap(wrong, 'XLM') ?? '', /decimal number/, wrong);
    }
  });

  it('addresses by their checksum, not only by their shape', () => {
    assert.equal(whatIsWrongWithContract(USDC_CONTRACT), undefined);
    const mistyped = `${USDC_CONTRACT.slice(0, -1)}B`;
    assert.match(whatIsWrongWithContract(mistyped) ?? '', /checksum/);
    assert.match(whatIsWrongWithContract(`G${'A'.repeat(55)}`) ?? '', /account/);
    assert.match(whatIsWrongWithKey(`S${'A'.repeat(55)}`) ?? '', /SECRET/);
    assert.match(whatIsWrongWithKey(USDC_CONTRACT) ?? '', /classic account/);
  });
});

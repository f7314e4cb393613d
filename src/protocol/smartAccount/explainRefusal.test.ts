import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainRefusal } from './explainRefusal.ts';

const report = (...numbers: number[]) =>
  [
    'HostError: Error(Auth, InvalidAction)',
    'Event log (newest first):',
    ...numbers.map(
      (number) => `   0: [Diagnostic Event] topics:[error, Error(Contract, #${number})]`,
    ),
  ].join('\n');

describe('[spec: Authentication/Policy refusal] Error(Contract, #1) wrapped as #110', () => {
  it('is explained as the policy’s refusal and the account’s around it', () => {
    const refusal = explainRefusal(report(110, 1, 1));
    assert.deepEqual([refusal?.account, refusal?.policy], [110, 1]);
    assert.match(refusal?.message ?? '', /spending limit .*\(#1, wrapped as #110\)$/);
    assert.equal(explainRefusal(report(110, 11))?.policy, 11);
  });

  it('the account’s own refusals have no policy behind them', () => {
    assert.deepEqual(explainRefusal(report(110))?.policy, undefined);
    assert.deepEqual(explainRefusal(report(102, 1))?.policy, undefined);
    assert.match(
      explainRefusal(report(122))?.message ?? '',
      /the passkey signed a different challenge/,
    );
  });

  it('the policy’s contract is the one that failed first: the account passes its error up', () => {
    const [account, policy] = ['A', 'B'].map((letter) => `C${letter.repeat(55)}`);
    const line = (contract: string | undefined, number: number) =>
      `   0: [Failed Diagnostic Event (not emitted)] contract:${contract}, topics:[error, Error(Contract, #${number})], data:"…"`;
    const told = [line(account, 110), line(account, 1), line(policy, 1)].join('\n');
    assert.equal(explainRefusal(told)?.policyContract, policy);
    assert.equal(explainRefusal(report(110, 1))?.policyContract, undefined);
    assert.equal(explainRefusal(line(account, 110))?.policyContract, undefined);
  });

  it('a text without an account is not explained', () => {
    assert.equal(explainRefusal(report()), undefined);
    assert.equal(explainRefusal(report(10, 206)), undefined);
    assert.equal(explainRefusal(''), undefined);
  });
});

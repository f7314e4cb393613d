import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NETWORK_RESET_WORDS } from '../networkReset.ts';
import type { SettlementHash } from '../settlementHash.ts';
import { type AuthorizationFate, fateInWords, moneyMovedBy } from './fate.ts';

const HASH = 'ab'.repeat(32) as SettlementHash;

describe('What a fate permits to say about money', () => {
  const statements: readonly (readonly [AuthorizationFate, string, RegExp])[] = [
    [
      { state: 'paid', hash: HASH, ledger: 7, evidence: 'movement' },
      'yes',
      new RegExp(`the payment is made: transaction ${HASH} in ledger 7`),
    ],
    [
      { state: 'paid', hash: undefined, ledger: undefined, evidence: 'contract_record' },
      'yes',
      /the payment is made; its transaction is no longer available/,
    ],
    [
      { state: 'open', until: 1_234 },
      'not_yet',
      /nothing was paid so far; the authorization can still pay until ledger 1234/,
    ],
    [{ state: 'void', evidence: 'searched' }, 'no', /can no longer pay: .*no ledger has/],
    [{ state: 'void', evidence: 'nonce_used_otherwise' }, 'no', /another call .* used its nonce/],
    [{ state: 'void', evidence: 'settled_at_zero' }, 'no', /settled with an amount of zero/],
    [{ state: 'unknown', because: 'history_too_short' }, 'unknown', /does not reach back/],
    [{ state: 'unknown', because: 'token_may_be_silent' }, 'unknown', /without an event/],
    [{ state: 'unknown', because: 'shows_nothing' }, 'unknown', /shows nothing that arrived/],
    [
      { state: 'unknown', because: 'network_reset' },
      'unknown',
      /test network was reset: it started/,
    ],
  ];

  it('a reset is said in the words of every other part', () => {
    const words = fateInWords({ state: 'unknown', because: 'network_reset' });
    assert.ok(words.endsWith(NETWORK_RESET_WORDS.slice(1, -1)), words);
  });

  for (const [fate, value, words] of statements) {
    const evidence = 'evidence' in fate ? fate.evidence : 'because' in fate ? fate.because : '';
    it(`${[fate.state, evidence].join(' ').trim()}: ${value}`, () => {
      assert.equal(moneyMovedBy(fate), value);
      assert.match(fateInWords(fate), words);
    });
  }

  it('only a void authorization has moved nothing and never can', () => {
    const no = statements.filter(([fate]) => moneyMovedBy(fate) === 'no');
    assert.deepEqual([...new Set(no.map(([{ state }]) => state))], ['void']);
  });

  it('is never "nothing was paid" without saying whether it still can be', () => {
    for (const [fate] of statements) {
      const text = fateInWords(fate);
      if (/nothing was paid/.test(text)) assert.match(text, /can (?:still|no longer) pay/);
    }
  });
});

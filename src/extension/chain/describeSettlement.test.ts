import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DecodedTransaction } from '../ledgerReads/index.ts';
import { describeSettlement } from './describeSettlement.ts';
import type { ChainTransaction } from './readTransaction.ts';

const HASH = 'ab'.repeat(32);
const DECODED: DecodedTransaction = {
  ...{ transfer: undefined, authorizations: [], feeSource: undefined, json: '{}' },
};

function verdict(successful: boolean, moneyMoved?: string): string {
  const transaction: ChainTransaction = {
    ...{ hash: HASH, ledger: 7, created_at: '2026-01-01T00:00:00Z', successful },
    ...{ source_account: 'G', fee_account: 'G', fee_charged: '100', envelope_xdr: '' },
  };
  const times = { presentedAt: '', updatedAt: '', url: 'http://localhost/settlements' };
  const record = moneyMoved === undefined ? undefined : { state: 'failed', moneyMoved, ...times };
  return describeSettlement(transaction, DECODED, [], undefined, record).verdict;
}

describe('What the page of a settlement says about money', () => {
  it('the facilitator’s word, then what this transaction did', () => {
    assert.match(verdict(true, 'yes'), /^Money moved\. According to the ledger, it succeeded\./);
    assert.match(verdict(false, 'fees'), /^No payment was made; network fees were spent\./);
  });

  it('a failed transaction says nothing about the authorization, which another one may have carried', () => {
    assert.match(verdict(false, 'yes'), /^Money moved\. .* it failed and moved no money\./);
  });

  it('nothing so far is not "no money moved"', () => {
    assert.match(verdict(false, 'not_yet'), /^Nothing was paid so far, but .* can still pay\./);
  });

  it('a value that this version does not know is unknown', () => {
    assert.match(verdict(false, 'later'), /^It isn't known yet whether money moved\./);
    assert.match(verdict(false), /no record of it/);
  });
});

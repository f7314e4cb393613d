import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_ISSUER } from '../protocol/index.ts';
import type { CatalogEntry } from './catalogEntry.ts';
import { describeEntries } from './describeEntries.ts';

function named(serviceName: string): string {
  const trust = { settlements: 0, uniquePayers: 0, ownerVerified: false };
  const entry = { resource: 'https://api.example/a', accepts: [], trust, serviceName };
  return describeEntries([entry as unknown as CatalogEntry]);
}

describe('A listing whose name looks like an asset or an address', () => {
  it('is described without that name, whatever catalog it comes from', () => {
    for (const name of ['USDC', 'UЅDС', 'ＵＳＤＣ', USDC_ISSUER, 'GBBD…FLA5']) {
      const text = named(name);
      assert.match(text, /name: \(withheld/);
      assert.ok(!text.includes(name), name);
    }
    assert.match(named('Rates in USDC'), /name: "Rates in USDC"/);
  });
});

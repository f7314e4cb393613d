import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type RunningLedger, startLedger } from '../../network/src/index.ts';

const page = readFileSync(new URL('../../docs/control.md', import.meta.url), 'utf8');
const EXAMPLE = /```json call\n([\s\S]*?)```\n```json result\n([\s\S]*?)```/g;

describe('the examples of docs/control.md', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ port: 0, close: { kind: 'manual' } });
  });
  after(() => ledger.close());

  it('return what the page shows, one after the other', async () => {
    const examples = [...page.matchAll(EXAMPLE)];
    assert.ok(examples.length >= 10);
    for (const [, call = '', expected = ''] of examples) {
      const response = await fetch(ledger.urls?.control ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...JSON.parse(call) }),
      });
      const { result } = (await response.json()) as { result?: Record<string, unknown> };
      assert.ok(result, call);
      const { hash, closeTime } = result;
      if (hash !== undefined) assert.match(String(hash), /^[0-9a-f]{64}$/);
      const shown = {
        ...result,
        ...(hash === undefined ? {} : { hash: '…' }),
        ...(closeTime === undefined ? {} : { closeTime: 0 }),
      };
      assert.deepEqual(shown, JSON.parse(expected), call);
    }
  });

  it('name every existing method', () => {
    const named = new Set(page.match(/\bsvc_\w+/g));
    assert.equal(named.size, 22);
  });
});

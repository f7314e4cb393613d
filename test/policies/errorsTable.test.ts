import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { PASSKEY_ERRORS, POLICY_ERRORS } from '../../src/server/policies/index.ts';

const page = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');

describe('docs/policies.md', () => {
  it('lists every failure of the gateway and of the passkey page, with its status and what to do', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \| (.+) \|$/gm)].map(
      ([, code, status, title, fix]) => [code, Number(status), title, fix],
    );
    const table = [...Object.entries(POLICY_ERRORS), ...Object.entries(PASSKEY_ERRORS)].map(
      ([code, { status, title, fix }]) => [code, status as number, title as string, fix as string],
    );
    assert.deepEqual(rows, table);
  });
});

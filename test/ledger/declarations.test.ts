import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type * as Declared from '../../src/ledger/declarations.d.ts';
import * as ledger from '../../src/ledger/index.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('What svc-x402/ledger declares is what it exports', () => {
  it('what callers get and give, by type, which the type check holds', () => {
    const running = (made: ledger.RunningLedger): Declared.RunningLedger => made;
    const options = (given: Declared.LedgerOptions): ledger.LedgerOptions => given;
    const calls = (made: ledger.ControlCalls): Declared.ControlCalls => made;
    const start: typeof Declared.startLedger = ledger.startLedger;
    const errors: readonly (new (...args: never[]) => { readonly code: unknown })[] = [
      ledger.ForkError,
      ledger.LedgerServiceError,
      ledger.PersistenceError,
      ledger.PortError,
      ledger.RpcError,
    ];
    for (const error of errors) assert.ok(error.prototype instanceof Error);
    for (const held of [running, options, calls, start]) assert.equal(typeof held, 'function');
  });

  it('nothing more and nothing less by name', () => {
    const text = read('src/ledger/declarations.d.ts');
    const names = [...text.matchAll(/^export (?:class|function) (\w+)/gm)];
    assert.deepEqual(names.map(([, name]) => name).sort(), Object.keys(ledger).sort());
  });

  it('under the names that package.json gives', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    const library = { types: './dist/ledger.d.ts', default: './dist/ledger.js' };
    assert.deepEqual(exports['./ledger'], library);
    // The package's own name is its library for tests; the editor takes `main`.
    assert.deepEqual(exports['.'], library);
  });
});

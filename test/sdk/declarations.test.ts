import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type * as Declared from '../../src/sdk/declarations.d.ts';
import * as sdk from '../../src/sdk/index.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('what svc-x402/sdk declares is what it exports', () => {
  it('what callers get and give, by type, which the type check holds', () => {
    type Made<F extends (...args: never[]) => unknown> = ReturnType<F>;
    const wallet = (made: sdk.SvcWallet): Declared.SvcWallet => made;
    const client = (made: sdk.PolicyClient): Declared.PolicyClient => made;
    const refusal = (made: Made<typeof sdk.explainRefusal>): Made<typeof Declared.explainRefusal> =>
      made;
    const definition = (given: Declared.PolicyDefinition): sdk.PolicyDefinition => given;
    const attach = (given: Declared.PolicyAttach): sdk.PolicyAttach => given;
    const errors: readonly (new (...args: never[]) => Declared.X402Error)[] = [
      sdk.CannotPayError,
      sdk.DisallowedAssetError,
      sdk.InvalidRequirementsError,
      sdk.MaxAmountExceededError,
      sdk.NoUsablePaymentOptionError,
      sdk.PaymentOutcomeUnknownError,
      sdk.PaymentRejectedError,
      sdk.RpcFailedError,
      sdk.SettledWithoutResourceError,
      sdk.X402NotConfiguredError,
    ];
    for (const error of errors) assert.ok(error.prototype instanceof Error);
    for (const held of [wallet, client, refusal, definition, attach]) assert.equal(held.length, 1);
  });

  it('nothing more and nothing less by name', () => {
    const text = read('src/sdk/declarations.d.ts');
    const names = [...text.matchAll(/^export (?:abstract )?(?:class|function) (\w+)/gm)];
    assert.deepEqual(names.map(([, name]) => name).sort(), Object.keys(sdk).sort());
  });

  it('under the names that package.json gives', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    assert.deepEqual(exports['./sdk'], {
      types: './dist/sdk.d.mts',
      node: './dist/sdk.node.mjs',
      default: './dist/sdk.mjs',
    });
  });
});

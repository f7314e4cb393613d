import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainInstall } from './installFailure.ts';

const explain = (output: string) => explainInstall(output, ['viem']);

describe('E6: overrides are offered only where they help', () => {
  it('a missing package is quoted, and package.json is not changed', () => {
    const failure = explain(
      [
        'npm error code E404',
        'npm error 404 Not Found - GET https://registry.test/@x402%2ffastify - Not found',
        'npm error A complete log of this run can be found in: ~/.npm/_logs/x.log',
      ].join('\n'),
    );
    assert.equal(failure.overridesHelp, false);
    assert.match(failure.sentence, /^E404: 404 Not Found - GET https:/);
  });

  it('they are offered for a version that overrides replace, in each package manager’s output', () => {
    for (const output of [
      'npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for viem@^2.50.0.',
      '\u001b[31mnpm error\u001b[0m notarget No matching version found for viem@2.50.0.',
      'ERR_PNPM_NO_MATCHING_VERSION  No matching version found for viem@2.50.0',
      `error Couldn't find any versions for "viem" that matches "^2.50.0"`,
    ]) {
      assert.deepEqual(
        explain(output),
        {
          sentence: "The package source doesn't have the required version of viem.",
          overridesHelp: true,
        },
        output,
      );
    }
  });

  it('another missing version is named, without overrides', () => {
    const failure = explain('npm error notarget No matching version found for @x402/core@2.21.0.');
    assert.deepEqual(failure, {
      sentence: "The package source doesn't have the required version of @x402/core.",
      overridesHelp: false,
    });
  });

  it('[finding: E3] a page of HTML is shown as its words', () => {
    const { sentence } = explain(
      'npm error code E502\nnpm error 502 Bad Gateway - GET https://registry.test/x - <!DOCTYPE html><html><head><style>a{b:c}</style></head><body><h1>Bad gateway</h1></body></html>',
    );
    assert.equal(sentence, 'E502: 502 Bad Gateway - GET https://registry.test/x - Bad gateway');
  });

  it('output without a reason does not lead to a guess', () => {
    for (const output of ['', 'added 3 packages', 'npm error code EACCES']) {
      assert.equal(explain(output).overridesHelp, false);
    }
    assert.match(explain('').sentence, /terminal/);
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { corpus, goldenOf } from './corpus.ts';

describe('[spec: Editor extension command/1] real route files give the reviewed results', () => {
  const cases = corpus();

  it('there are at least 60 of them', () => {
    assert.ok(cases.length >= 60, String(cases.length));
  });

  for (const each of cases) {
    it(each.name, () => {
      const { file, text } = goldenOf(each);
      assert.ok(
        existsSync(file),
        `${file} does not exist: run test/codegen/writeGolden.ts and review it`,
      );
      assert.equal(text, readFileSync(file, 'utf8'));
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openPglite } from '../support/pgliteDatabase.ts';
import { codeBlocks } from './commands/codeBlocks.ts';

describe('The queries of the pages', () => {
  const blocks = codeBlocks('sql');

  it('are there', () => {
    assert.ok(blocks.length >= 1);
  });

  for (const { page, line, text } of blocks) {
    it(`run on the service’s schema: ${page}:${line}`, async () => {
      const database = await openPglite({ pgvector: false });
      try {
        const rows = await database.all<{ count?: number | string }>(text.replace(/;\s*$/, ''));
        assert.deepEqual(
          rows.map(({ count }) => Number(count)),
          [0],
        );
      } finally {
        await database.close();
      }
    });
  }
});

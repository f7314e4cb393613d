import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { judgeSchema } from './judgeSchema.ts';

const enums = Array.from({ length: 600 }, (_, n) => `${n}`);
/** A schema that takes a few milliseconds. */
const schemaOf = (title: string) => ({ title, anyOf: [{ enum: enums }, {}] });

// The first test of this process also loads the thread, as the first settlements after a start do.
describe("Settlements' schemas are judged in a thread of their own", () => {
  it('the loading time of the thread counts against no settlement', async () => {
    const verdicts: Promise<unknown>[] = [];
    for (let n = 0; n < 25; n++) {
      // Each costs next to nothing, so that beside a busy machine too only the thread's loading could take the time.
      verdicts.push(judgeSchema({ title: `before the thread ${n}` }, {}, 'settlement'));
      await pause(10);
    }
    assert.deepEqual(
      (await Promise.all(verdicts)).filter((problem) => problem !== undefined),
      [],
    );
  });

  it('sales of one resource that settle together are judged once', async () => {
    const schema = schemaOf('sold a hundred times at once');
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, () => judgeSchema(schema, {}, 'settlement')),
    );
    assert.deepEqual(
      verdicts.filter((problem) => problem !== undefined),
      [],
    );
  });
});

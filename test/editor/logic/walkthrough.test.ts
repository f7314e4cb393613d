import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  contributes: {
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly id: string; readonly completionEvents: string[] }[];
    }[];
  };
};
const sources = readdirSync(join(root, 'src/extension'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(root, 'src/extension', name), 'utf8'));

describe('E13: a tick in the walkthrough means that the step is done', () => {
  const steps = contributes.walkthroughs.flatMap(({ steps }) => steps);
  const milestone = 'onContext:svc-x402.done.';

  it('no command, view or link ticks a step by being opened', () => {
    assert.ok(steps.length > 0);
    for (const { id, completionEvents } of steps) {
      assert.equal(completionEvents.length, 1, id);
      assert.ok(completionEvents[0]?.startsWith(milestone), `${id}: ${completionEvents[0]}`);
    }
  });

  it('each is ticked by an event that the extension saw', () => {
    const marked = new Set(
      sources.flatMap((text) =>
        [...text.matchAll(/milestones\.mark\('(\w+)'\)/g)].map(([, name]) => name),
      ),
    );
    for (const { id, completionEvents } of steps) {
      const name = completionEvents[0]?.slice(milestone.length);
      assert.ok(marked.has(name), `${id}: nothing marks ${name}`);
    }
  });
});

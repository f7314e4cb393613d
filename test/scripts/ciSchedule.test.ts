import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  countTests,
  failuresOf,
  next,
  type Stage,
  slowest,
  waitTable,
  withNeeds,
} from '../../.ci/schedule.mjs';

const STAGES: readonly Stage[] = [
  { name: 'quick', usual: 4 },
  { name: 'packages', usual: 1, waits: true },
  { name: 'pack', usual: 3, after: ['quick', 'packages'], waits: true },
  { name: 'editor', usual: 9, after: ['pack'], waits: true },
  { name: 'tests', usual: 12, after: ['quick', 'packages'] },
  { name: 'short', usual: 1, after: ['quick', 'packages'] },
];

/** Runs the stages in the given time each, in virtual time, and returns the order of their starts. */
function order(stages: readonly Stage[], lanes: number, failing: readonly string[] = []) {
  const ended = new Map<string, { status: string }>();
  const running = new Map<string, Stage>();
  const started: string[] = [];
  const ends = new Map<string, number>();
  let now = 0;
  for (;;) {
    for (;;) {
      const stage = next(stages, ended, running, lanes);
      if (stage === undefined) break;
      assert.ok(
        (stage.after ?? []).every((need) => ended.get(need)?.status === 'ok'),
        stage.name,
      );
      running.set(stage.name, stage);
      started.push(stage.name);
      ends.set(stage.name, now + stage.usual);
    }
    assert.ok(running.size <= lanes);
    const [first] = [...running.keys()].sort((a, b) => (ends.get(a) ?? 0) - (ends.get(b) ?? 0));
    if (first === undefined) return { started, minutes: now };
    now = ends.get(first) ?? 0;
    running.delete(first);
    ended.set(first, { status: failing.includes(first) ? 'FAILED with 1' : 'ok' });
  }
}

describe('The stages of .ci/run', () => {
  it('run one after the other on one lane, and beside each other on two', () => {
    assert.deepEqual(order(STAGES, 1).minutes, 30);
    const { started, minutes } = order(STAGES, 2);
    assert.deepEqual([...started].sort(), STAGES.map(({ name }) => name).sort());
    assert.ok(minutes <= 17, `${minutes} minutes`);
  });

  it('start with the quick one, whose failure keeps all others from starting', () => {
    assert.deepEqual(order(STAGES, 1, ['quick']).started, ['quick']);
    assert.deepEqual(order(STAGES, 2, ['quick']).started, ['quick', 'packages']);
  });

  it('do not start after a failed one that they need; the others do', () => {
    const { started } = order(STAGES, 2, ['pack']);
    assert.ok(!started.includes('editor'));
    assert.ok(started.includes('tests') && started.includes('short'));
  });

  it('put one that waits beside one that computes', () => {
    const [, , third, fourth] = order(STAGES, 2).started;
    assert.deepEqual([third, fourth].sort(), ['pack', 'tests']);
  });

  it('put two that wait beside one that computes, on three lanes', () => {
    const more: readonly Stage[] = [
      ...STAGES,
      { name: 'oldest', usual: 8, after: ['pack'], waits: true },
      { name: 'soak', usual: 1, after: ['quick', 'packages'], waits: true },
    ];
    const { started, minutes } = order(more, 3);
    assert.deepEqual(started.slice(2, 5).sort(), ['pack', 'soak', 'tests']);
    assert.equal(minutes, 16);
  });

  it('are chosen by name, with those that they need', () => {
    assert.deepEqual(
      withNeeds(STAGES, ['editor']).map(({ name }) => name),
      ['packages', 'pack', 'editor'],
    );
    assert.throws(() => withNeeds(STAGES, ['editors']), /editors/);
  });
});

describe('The total of .ci/run', () => {
  it('counts what each runner prints at its end', () => {
    const log = [
      '3 passed, 1 failed',
      '12 passed, 0 failed, 2 skipped',
      'ℹ pass 7',
      'ℹ fail 2',
      'test result: ok. 40 passed; 0 failed; 0 ignored',
      'the sentence "5 passed, 5 failed" inside another line does not count',
    ].join('\n');
    assert.deepEqual(countTests(log), { passed: 62, failed: 3 });
  });

  it('does not count a first try that was repeated', () => {
    const log =
      '2 passed, 0 failed\n=== first try\nℹ pass 1\nℹ fail 1\n=== second try\nℹ pass 2\nℹ fail 0';
    assert.deepEqual(countTests(log), { passed: 4, failed: 0 });
  });
});

describe('The table of the slowest files', () => {
  it('has the longest first, with what they waited for', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-ci-'));
    try {
      const row = (file: string, seconds: number, waits: Record<string, number>) =>
        JSON.stringify({ file, seconds, processor: 1, children: 0, idle: seconds - 1, waits });
      writeFileSync(join(folder, '1.jsonl'), `${row('a.test.ts', 2, {})}\n`);
      writeFileSync(join(folder, '2.jsonl'), `${row('b.test.ts', 9, { network: 3 })}\n`);
      const files = slowest(folder, 5);
      assert.deepEqual(
        files.map(({ file }) => file),
        ['b.test.ts', 'a.test.ts'],
      );
      assert.deepEqual(slowest(folder, 1).length, 1);
      assert.match(waitTable(files), /network\n\s+9\.0\s+1\.0\s+0\.0\s+8\.0\s+3\.0 {2}b\.test\.ts/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the end of a run repeats what failed', () => {
  const failure = (name: string, lines: number) =>
    [
      `--- test/x.test.ts: ${name} (line 3)`,
      ...Array.from({ length: lines }, (_, i) => `line ${i}`),
      `run alone: node scripts/runTests.mjs test/x.test.ts --name "${name}"`,
    ].join('\n');

  it('with the message and the command, once for each test', () => {
    const log = `ok  a\n${failure('pays', 2)}\n=== second try\n${failure('pays', 2)}\n${failure('waits', 1)}\n1 passed, 2 failed\n`;
    assert.deepEqual(failuresOf(log), [failure('pays', 2), failure('waits', 1)]);
  });

  it('shortened in the middle, so that a long one hides no other', () => {
    const [shown = ''] = failuresOf(failure('pays', 500));
    assert.match(shown, /^--- test\/x\.test\.ts: pays \(line 3\)\nline 0\n/);
    assert.match(shown, /\n…\n/);
    assert.match(shown, /line 499\nrun alone: /);
    assert.ok(shown.split('\n').length < 30);
  });

  it('or the last lines of a stage that names no test', () => {
    const log = Array.from({ length: 100 }, (_, i) => `step ${i}`).join('\n');
    const [shown = ''] = failuresOf(`${log}\n`);
    assert.match(shown, /step 99$/);
    assert.doesNotMatch(shown, /step 50$/m);
  });
});

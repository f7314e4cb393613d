import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { followLog, type LogTail } from './logTail.ts';

describe("the service's log", () => {
  let folder: string;
  let path: string;
  let tail: LogTail | undefined;
  let lines: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-log-'));
    path = join(folder, 'service.log');
    lines = [];
  });
  afterEach(() => {
    tail?.stop();
    rmSync(folder, { recursive: true });
  });

  const follow = () => {
    tail = followLog(path, (line, earlier) => lines.push(earlier ? `earlier: ${line}` : line));
    return tail;
  };

  async function eventually(expected: readonly string[]): Promise<void> {
    for (let tries = 0; tries < 200 && lines.length < expected.length; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(lines, expected);
  }

  it('is read when it grows, without polling', async () => {
    writeFileSync(path, '');
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    await follow().look();
    assert.equal(timers(), before);
    appendFileSync(path, 'one\ntwo\n');
    await eventually(['one', 'two']);
    appendFileSync(path, 'three\nhalf');
    await eventually(['one', 'two', 'three']);
    appendFileSync(path, ' a line\n');
    await eventually(['one', 'two', 'three', 'half a line']);
  });

  it('that already exists is read as earlier lines, so that a reloaded window has them', async () => {
    writeFileSync(path, 'before\n');
    await follow().look();
    appendFileSync(path, 'after\n');
    await eventually(['earlier: before', 'after']);
  });

  it('is read from its start when the service is started again', async () => {
    writeFileSync(path, 'a first line\n');
    await follow().look();
    writeFileSync(path, 'again\n');
    await eventually(['earlier: a first line', 'again']);
  });

  it('is found if it is created later, in a folder that is created later', async () => {
    path = join(folder, 'shared', 'service.log');
    await follow().look();
    writeFileSync(path, 'first\n');
    await eventually(['first']);
  });

  it('keeps characters that are split between two reads', async () => {
    writeFileSync(path, '');
    await follow().look();
    const bytes = Buffer.from('Zürich\n');
    appendFileSync(path, bytes.subarray(0, 2));
    await tail?.look();
    appendFileSync(path, bytes.subarray(2));
    await eventually(['Zürich']);
  });

  it('of many megabytes costs one read of its end', async () => {
    writeFileSync(path, `${'x'.repeat(99)}\n`.repeat(50_000));
    await follow().look();
    assert.ok(lines.length > 0 && lines.length <= 2_622, String(lines.length));
    assert.ok(lines.every((line) => line === `earlier: ${'x'.repeat(99)}`));
  });
});

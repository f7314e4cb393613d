// A compact reporter for node:test: one line per file, each failure in full, and the counts at the end.

import { relative } from 'node:path';
import { sourceOf } from './compileTests.mjs';

export default async function* compactReporter(events) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const start = performance.now();
  let files = 0;
  // The runner reports the tests of one file after those of another, even if files run in parallel.
  let current;
  /** Tests that have begun and not ended, by file. */
  const running = new Map();
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') {
      // Noise from the runner itself, not from a test.
      if (!/ExperimentalWarning|--trace-warnings/.test(data.message)) yield data.message;
      continue;
    }
    if (type === 'test:dequeue' || type === 'test:pass' || type === 'test:fail') {
      const key = data.file && sourceOf(data.file);
      const others = (running.get(key) ?? []).filter((name) => name !== data.name);
      running.set(key, type === 'test:dequeue' ? [...others, data.name] : others);
    }
    if ((type !== 'test:pass' && type !== 'test:fail') || !isTest(type, data)) continue;
    const file = data.file ? relative(process.cwd(), sourceOf(data.file)) : '(no file)';
    if (current?.file !== file) {
      if (current) yield describeFile(current);
      current = { file, passed: 0, failed: 0, skipped: 0, ms: 0 };
      files += 1;
    }
    const outcome = data.skip || data.todo ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    total[outcome] += 1;
    current[outcome] += 1;
    current.ms += data.details.duration_ms ?? 0;
    if (outcome === 'failed')
      failures.push(describeFailure(file, data, running.get(sourceOf(data.file ?? '')) ?? []));
  }
  if (current) yield describeFile(current);
  for (const failure of failures) yield `\n${failure}\n`;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  yield `\n${files} files, ${seconds} s\n`;
  const skipped = total.skipped ? `, ${total.skipped} skipped` : '';
  yield `${total.passed} passed, ${total.failed} failed${skipped}\n`;
}

function describeFile({ file, passed, failed, skipped, ms }) {
  const rest = `${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`;
  return `${failed ? 'not ok' : 'ok'}  ${file}  ${passed} passed${rest}  ${Math.round(ms)} ms\n`;
}

/** Suites and files are reported like tests; they count only if they themselves fail. */
function isTest(type, data) {
  const failure = data.details?.error?.failureType;
  if (type === 'test:fail' && failure === 'subtestsFailed') return false;
  return data.details?.type !== 'suite' || type === 'test:fail';
}

/** @param begun names of tests of this file that have no outcome: a file that was stopped failed by one of them */
function describeFailure(file, data, begun) {
  const error = data.details?.error;
  const cause = error?.cause ?? error;
  const text = cause?.stack ?? String(cause?.message ?? cause);
  const name = data.name.replaceAll(/[.*+?^${}()|[\]\\"]/g, '.');
  const isWhole = data.name === data.file;
  const inside = isWhole ? begun : [];
  const unfinished = inside.length > 0 ? `begun, without an outcome: ${inside.join(' > ')}\n` : '';
  const alone = `run alone: node scripts/runTests.mjs ${file}${isWhole ? '' : ` --name "${name}"`}`;
  return `--- ${file}: ${isWhole ? 'the whole file' : data.name} (line ${data.line ?? '?'})\n${text}\n${unfinished}${alone}`;
}

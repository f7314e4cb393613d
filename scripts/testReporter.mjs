// A compact reporter for node:test: one line a file, each failure in full, and the counts at the end.

import { relative } from 'node:path';

export default async function* compactReporter(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const files = new Map();
  const failures = [];
  const start = performance.now();
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') {
      // Noise of the runner itself, not of a test.
      if (!/ExperimentalWarning|--trace-warnings/.test(data.message)) yield data.message;
      continue;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (!isTest(type, data)) continue;
    const file = data.file ? relative(process.cwd(), data.file) : '(no file)';
    const outcome = data.skip || data.todo ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    counts[outcome] += 1;
    const seen = files.get(file) ?? { passed: 0, failed: 0, skipped: 0, ms: 0 };
    seen[outcome] += 1;
    seen.ms += data.details.duration_ms ?? 0;
    files.set(file, seen);
    if (outcome !== 'failed') continue;
    failures.push(describe(file, data));
    yield `FAILED ${file}: ${data.name}\n`;
  }
  for (const [file, { passed, failed, skipped, ms }] of files) {
    const rest = `${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`;
    yield `${failed ? 'not ok' : 'ok'}  ${file}  ${passed} passed${rest}  ${Math.round(ms)} ms\n`;
  }
  for (const failure of failures) yield `\n${failure}\n`;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  yield `\n${files.size} files, ${seconds} s\n`;
  const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
  yield `${counts.passed} passed, ${counts.failed} failed${skipped}\n`;
}

/** Suites and files are reported like tests; they count only when they fail by themselves. */
function isTest(type, data) {
  const failure = data.details?.error?.failureType;
  if (type === 'test:fail' && failure === 'subtestsFailed') return false;
  return data.details?.type !== 'suite' || type === 'test:fail';
}

function describe(file, data) {
  const error = data.details?.error;
  const cause = error?.cause ?? error;
  const text = cause?.stack ?? String(cause?.message ?? cause);
  return `--- ${file}: ${data.name} (line ${data.line ?? '?'})\n${text}`;
}

// Preloaded by scripts/runTests.mjs where CI_TIMES names a folder: each process that runs a test file writes there how long it
// took and on what: its own processor time, that of its children, the time in which it waited for something, and of that the
// waits that tests name with `performance.measure('wait: network', …)`.

import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.CI_TIMES;
const file = process.argv[1] ?? '';
if (isMainThread && folder && /[\\/]build[\\/]compiled[\\/]/.test(file)) {
  const waits = {};
  const add = (kind, ms) => {
    waits[kind] = (waits[kind] ?? 0) + ms / 1_000;
  };
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) {
      if (name.startsWith('wait: ')) add(name.slice('wait: '.length), duration);
    }
  }).observe({ entryTypes: ['measure'] });
  const sleep = timers.setTimeout;
  timers.setTimeout = async (...args) => {
    const start = performance.now();
    try {
      return await sleep(...args);
    } finally {
      add('sleep', performance.now() - start);
    }
  };
  syncBuiltinESMExports();
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const line = {
      file: file.replace(/^.*[\\/]build[\\/]compiled[\\/]\d+[\\/]/, '').replace(/\.js$/, '.ts'),
      seconds: performance.now() / 1_000,
      processor: (user + system) / 1e6,
      children: childrenSeconds(),
      idle: performance.eventLoopUtilization().idle / 1_000,
      waits,
    };
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
  });
}

/** Processor time of the processes that this one started and that have ended, in seconds; 0 except on Linux. */
function childrenSeconds() {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
    return (user + system) / 100;
  } catch {
    return 0;
  }
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { threadCpuMs } from './threadCpu.ts';

describe('CPU of a thread', {
  skip: threadCpuMs() === undefined ? 'neither Node nor the system measures it' : false,
}, () => {
  it("grows with its own work, not with another thread's", async () => {
    const busy = `const end = performance.now() + 400; while (performance.now() < end);`;
    const before = threadCpuMs() ?? 0;
    const worker = new Worker(busy, { eval: true });
    await new Promise((resolve) => worker.on('exit', resolve));
    const waited = (threadCpuMs() ?? 0) - before;
    const spun = process.cpuUsage();
    const start = threadCpuMs() ?? 0;
    while (process.cpuUsage(spun).user < 100_000);
    assert.ok((threadCpuMs() ?? 0) - start > 50);
    assert.ok(waited < 200, `${waited} ms of its own while another worked`);
  });
});

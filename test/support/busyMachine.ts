import { cpus, loadavg } from 'node:os';

const WORK_MS = 100;

/**
 * Returns how many times as long as on an idle machine this process needs for the same work, at least 1: by how long it waits
 * for a processor now, and by how many processes have waited in the last minute.
 *
 * A test about a duration multiplies its bound by this.
 */
export function timesBusy(): number {
  const begun = performance.now();
  const used = process.cpuUsage();
  let cpuMs = 0;
  while (cpuMs < WORK_MS) {
    const { user, system } = process.cpuUsage(used);
    cpuMs = (user + system) / 1_000;
  }
  const waits = (performance.now() - begun) / cpuMs;
  return Math.max(1, waits, (loadavg()[0] ?? 0) / cpus().length);
}

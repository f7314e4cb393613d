import { readFileSync } from 'node:fs';

/** Where Linux keeps the time that the calling thread was on a CPU: the first number, in nanoseconds. */
const OWN_SCHEDULE = '/proc/thread-self/schedstat';

/**
 * CPU milliseconds of the calling thread alone; `undefined` where neither Node (23.9 and later) nor the
 * system tells. What the process used says nothing of a thread: its others may have been at work.
 */
export function threadCpuMs(): number | undefined {
  if ('threadCpuUsage' in process && typeof process.threadCpuUsage === 'function') {
    const { user, system }: { user: number; system: number } = process.threadCpuUsage();
    return (user + system) / 1_000;
  }
  try {
    const [onCpu] = readFileSync(OWN_SCHEDULE, 'utf8').split(' ');
    const nanoseconds = Number(onCpu);
    return nanoseconds > 0 ? nanoseconds / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

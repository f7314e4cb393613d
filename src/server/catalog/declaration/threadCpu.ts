import { readFileSync } from 'node:fs';

/** Linux' file with the calling thread's CPU time: its first number, in nanoseconds. */
const OWN_SCHEDULE = '/proc/thread-self/schedstat';

/**
 * Returns the CPU milliseconds of the calling thread; `undefined` if neither Node (23.9 and later) nor the
 * system reports them. The process's CPU time is not a substitute: other threads may have been busy.
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

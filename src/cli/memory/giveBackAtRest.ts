import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often it is asked whether the process rests. */
const LOOK_EVERY_MS = 5_000;
/** Shares of the event loop's time. Between them nothing changes: a request now and then is neither rest nor work. */
const WORKS_ABOVE = 0.1;
const RESTS_BELOW = 0.02;
/** Collecting all takes about 2 ms for each MB that lives: nobody who pays just then shall notice. */
const LARGEST_HEAP_BYTES = 64e6;

interface Settings {
  readonly everyMs?: number;
  readonly collect?: () => void;
}

/**
 * Gives memory back to the system once the process rests, after its start and after each time of work. V8 collects when memory
 * is asked for, so a process at rest keeps the garbage of its start, and a young generation as large as it needed.
 * @returns what ends that
 */
export function giveBackAtRest(settings: Settings = {}): { close(): void } {
  const { everyMs = LOOK_EVERY_MS, collect = collectAll } = settings;
  let worked = true;
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > WORKS_ABOVE) worked = true;
    if (!worked || utilization > RESTS_BELOW) return;
    worked = false;
    if (getHeapStatistics().used_heap_size <= LARGEST_HEAP_BYTES) collect();
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}

/** Node offers no call for it without a flag. V8 reads this flag when a context is made, so a new one has the function. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  try {
    const collect: unknown = runInNewContext('gc');
    if (typeof collect === 'function') collect();
  } catch {
    // Another engine than V8: the garbage stays.
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}

import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Interval of the checks whether the process is idle. */
const LOOK_EVERY_MS = 5_000;
/** Event loop utilization. Between these values the state does not change: an occasional request is neither idle nor busy. */
const WORKS_ABOVE = 0.1;
const RESTS_BELOW = 0.02;
/**
 * A full collection takes about 2 ms per MB of live heap. With this limit, a payment at that moment is not noticeably delayed.
 */
const LARGEST_HEAP_BYTES = 64e6;

interface Settings {
  readonly everyMs?: number;
  readonly collect?: () => void;
  /** The share of the time since its last call that the event loop was in use, from 0 to 1. */
  readonly utilization?: () => number;
}

/**
 * Returns memory to the system when the process becomes idle, after its start and after each busy period. V8 collects only on
 * allocation, so an idle process keeps the garbage of its start and an enlarged young generation.
 * @returns a handle that stops it
 */
export function giveBackAtRest(settings: Settings = {}): { close(): void } {
  const {
    everyMs = LOOK_EVERY_MS,
    collect = collectAll,
    utilization = loopUtilization(),
  } = settings;
  let worked = true;
  const timer = setInterval(() => {
    const used = utilization();
    if (used > WORKS_ABOVE) worked = true;
    if (!worked || used > RESTS_BELOW) return;
    worked = false;
    if (getHeapStatistics().used_heap_size <= LARGEST_HEAP_BYTES) collect();
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}

function loopUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/** Node has no call for it without a flag. V8 reads the flag when it creates a context, so a new context has the function. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  try {
    const collect: unknown = runInNewContext('gc');
    if (typeof collect === 'function') collect();
  } catch {
    // Not V8: the garbage stays.
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}

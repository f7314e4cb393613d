import { createBackOff } from '../service/index.ts';

export interface PollerOptions {
  readonly everyMs: number;
  /** Reads once. It shows its own failure, which also delays the next read. */
  readonly read: (signal: AbortSignal) => Promise<void>;
  /** Maximum milliseconds between two reads after failures. */
  readonly mostMs?: number;
}

/** Reads repeatedly while somebody is looking. */
export interface Poller {
  setVisible(visible: boolean): void;
  /** Reads now, and restarts the interval. Does nothing while nobody looks. */
  refresh(): void;
  dispose(): void;
}

/** Reads one at a time, and not while invisible; failures lengthen the interval. */
export function createPoller({ everyMs, read, mostMs = 300_000 }: PollerOptions): Poller {
  const backOff = createBackOff(everyMs, mostMs);
  let visible = false;
  let timer: NodeJS.Timeout | undefined;
  let running: AbortController | undefined;

  function stop(): void {
    clearTimeout(timer);
    running?.abort();
    running = undefined;
  }

  async function readOnce(): Promise<void> {
    stop();
    const mine = new AbortController();
    running = mine;
    let wait = everyMs;
    try {
      await read(mine.signal);
      backOff.succeeded();
    } catch {
      wait = backOff.next();
    }
    if (running !== mine || !visible) return;
    running = undefined;
    timer = setTimeout(() => void readOnce(), wait);
    timer.unref();
  }

  return {
    setVisible(now) {
      if (now === visible) return;
      visible = now;
      if (visible) void readOnce();
      else stop();
    },
    refresh() {
      if (!visible) return;
      backOff.succeeded();
      void readOnce();
    },
    dispose() {
      visible = false;
      stop();
    },
  };
}

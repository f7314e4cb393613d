import type { Clock } from '../../clock.ts';
import { routeOf } from '../routes.ts';

/** When the service was last used, by anything but probes and its operator. */
export interface Activity {
  /** Counts a request. @param path of the request */
  note(path: string): void;
  /** Milliseconds since the last request, or since the start. */
  idleMs(): number;
}

/** Whether a request shows only that somebody watches the service; the command line looks for it at an unknown path. */
function isProbe(path: string): boolean {
  return ['/health', '/ready', '/metrics', '/operator', 'other'].includes(routeOf(path));
}

export function createActivity(clock: Clock): Activity {
  let last = clock.elapsed();
  return {
    note(path) {
      if (!isProbe(path)) last = clock.elapsed();
    },
    idleMs: () => Math.round(clock.elapsed() - last),
  };
}

import type { Clock } from '../clock.ts';

/** Resolves like `promise`, or to `undefined` after `ms`. The promise itself continues. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  clock: Clock,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}

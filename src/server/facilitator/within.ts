import type { Clock } from '../clock.ts';

/** What `promise` becomes, or `undefined` after `ms`. The promise itself goes on. */
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

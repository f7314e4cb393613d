/** Takes a lock, and does with it what its parent says. Ends by itself when nothing is said. */
import { FileLock, LockError } from '../../src/machine/index.ts';

type Message = { readonly do: 'write' | 'release' | 'disconnect' };

const codeOf = (error: unknown) => (error instanceof LockError ? error.code : String(error));

try {
  const lock = await FileLock.acquire(process.argv[2] ?? '');
  process.on('message', (message: Message) => {
    if (message.do === 'disconnect') process.disconnect();
    if (message.do === 'release') lock.release();
    if (message.do !== 'write') return;
    try {
      lock.assertHeld();
      process.send?.('written');
    } catch (error) {
      process.send?.(codeOf(error));
    }
  });
  process.send?.('held by me');
} catch (error) {
  process.send?.(`${codeOf(error)}: ${error instanceof Error ? error.message : ''}`);
  process.disconnect?.();
}

// One provider of RPC in a process of its own, so that nothing else delays its answers. Started by `forkProvider`.

import type { Mood } from './provider.ts';
import { startProvider } from './provider.ts';

const provider = await startProvider(process.argv[2] ?? '');
process.on('message', (mood: Mood) => {
  void provider.become(mood).then(() => process.send?.({ asked: provider.asked }));
});
// Ends when the process that started it is gone.
process.once('disconnect', () => process.exit(0));
process.send?.({ url: provider.url });

import { start, stop } from './buyers.ts';
import type { Answered, Asked, Wire } from './wire.ts';

/** What a stranger's process is asked to send. */
export type Sent = { readonly id: number; readonly base: string } & (
  | { readonly what: 'ask'; readonly asked: Asked }
  | {
      readonly what: 'exchange';
      readonly pieces: string | readonly (string | Buffer)[];
      readonly quietMs: number | undefined;
    }
);

/** What came back, or why nothing did. */
export type SentResult = { readonly id: number } & (
  | { readonly value: Answered | string }
  | { readonly failed: string }
);

/** A way to send from another process. */
export interface Strangers {
  readonly wire: Wire;
  close(): Promise<void>;
}

/** Starts a process that sends requests and reads their answers, so that this work is not done by the process of the service. */
export async function openStrangers(): Promise<Strangers> {
  const [child] = await start<string>('strangerProcess.ts', []);
  const waiting = new Map<
    number,
    { readonly take: (value: never) => void; readonly fail: (error: Error) => void }
  >();
  let last = 0;
  child.on('message', (result: SentResult) => {
    const one = waiting.get(result.id);
    waiting.delete(result.id);
    if ('failed' in result) one?.fail(new Error(result.failed));
    else one?.take(result.value as never);
  });
  child.once('exit', (code) => {
    for (const { fail } of waiting.values()) fail(new Error(`the strangers ended with ${code}`));
    waiting.clear();
  });
  const send = <T>(sent: (id: number) => Sent): Promise<T> =>
    new Promise<T>((take, fail) => {
      last += 1;
      waiting.set(last, { take, fail });
      child.send(sent(last), (error) => (error === null ? undefined : fail(error)));
    });
  return {
    wire: {
      ask: (base, asked) => send<Answered>((id) => ({ id, what: 'ask', base, asked })),
      exchange: (base, pieces, quietMs) =>
        send<string>((id) => ({ id, what: 'exchange', base, pieces, quietMs })),
    },
    close: () => stop(child),
  };
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventStream, type StreamEvent } from './answers.ts';
import { OpenAnswers } from './openAnswers.ts';

/** A source of events that changes on request. */
class Changing {
  readonly faults: unknown[] = [];
  readonly open = new OpenAnswers();
  listeners = 0;
  #events: StreamEvent[] = [];
  #listener = (): void => {};

  readonly source = {
    next: async (): Promise<StreamEvent[]> => this.#events.splice(0),
    onChange: (listener: () => void) => {
      this.listeners += 1;
      this.#listener = listener;
      return () => {
        this.listeners -= 1;
      };
    },
    onOpen: (end: () => void) => this.open.open(end),
    onFault: (error: unknown) => this.faults.push(error),
  };

  bring(...events: StreamEvent[]): void {
    this.#events.push(...events);
    this.#listener();
  }
}

const event = (id: number): StreamEvent => ({ id: String(id), data: { id } });
const text = (id: number): string => `id: ${id}\ndata: {"id":${id}}\n\n`;
const OPEN = 'retry: 1000\nevent: open\ndata: "hello"\n\n';
const CLOSE = 'retry: 10\nevent: close\ndata: "byebye"\n\n';

describe('A stream of events', () => {
  it('begins with existing events, and continues with new ones', async () => {
    const changing = new Changing();
    const answer = eventStream(changing.source, [event(1)], 3);
    changing.bring(event(2));
    await new Promise((resolve) => setImmediate(resolve));
    changing.bring(event(3));
    assert.equal(await answer.text(), OPEN + text(1) + text(2) + text(3) + CLOSE);
    assert.equal(changing.listeners, 0);
  });

  it('ends after the requested number of events, and does not send more', async () => {
    const changing = new Changing();
    const answer = eventStream(changing.source, [event(1), event(2), event(3)], 2);
    assert.equal(await answer.text(), OPEN + text(1) + text(2) + CLOSE);
  });

  it('reads no more for a client that does not read, and continues when it does', async () => {
    let read = 0;
    const changing = new Changing();
    const source = {
      ...changing.source,
      next: async () => {
        read += 1;
        return [event(read)];
      },
    };
    const answer = eventStream(source, [], 200);
    for (let n = 0; n < 300; n += 1) {
      changing.bring();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(read > 0 && read < 30, `${read} of 200 events were read`);
    const all = Array.from({ length: 200 }, (_, at) => text(at + 1));
    assert.equal(await answer.text(), OPEN + all.join('') + CLOSE);
  });

  it('stops listening when the client leaves', async () => {
    const changing = new Changing();
    const answer = eventStream(changing.source, [], 10);
    assert.equal(changing.listeners, 1);
    await answer.body?.cancel();
    assert.equal(changing.listeners, 0);
  });

  it('ends in less than a minute, so that clients come back', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const changing = new Changing();
    const answer = eventStream(changing.source, [], 10);
    t.mock.timers.tick(55_000);
    assert.equal(await answer.text(), OPEN + CLOSE);
    assert.equal(changing.listeners, 0);
  });

  it('says goodbye when the network ends', async () => {
    const changing = new Changing();
    const before = eventStream(changing.source, [event(1)], 10);
    changing.open.endAll();
    const after = eventStream(changing.source, [], 10);
    assert.equal(await before.text(), OPEN + text(1) + CLOSE);
    assert.equal(await after.text(), OPEN + CLOSE);
    assert.equal(changing.listeners, 0);
  });

  it('ends with a fault, and reports it, if new events cannot be read', async () => {
    const changing = new Changing();
    const fault = new Error('unreadable');
    const source = { ...changing.source, next: () => Promise.reject(fault) };
    const answer = eventStream(source, [], 10);
    changing.bring();
    assert.match(await answer.text(), /event: error\ndata: Unexpected stream error\n\n$/);
    assert.deepEqual(changing.faults, [fault]);
    assert.equal(changing.listeners, 0);
  });
});

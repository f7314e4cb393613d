/** One event of a stream; its id is the cursor after it. */
export interface StreamEvent {
  readonly id?: string;
  readonly data: unknown;
}

/** The source of a stream's events. */
export interface StreamSource {
  /** The events since the last call. */
  next(): Promise<readonly StreamEvent[]>;
  /** Calls the listener when there might be something new. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Called when a stream is open, with a function that ends it. Returns a function to call when it has ended by itself. */
  onOpen(end: () => void): () => void;
  /** Called with errors; they end the stream. */
  onFault(error: unknown): void;
}

/** Streams end after this time and clients reconnect to continue, so that no stream stays open forever. */
const LONGEST_STREAM_MILLISECONDS = 55_000;

/** Maximum number of events that wait for a client before reading stops; one page can add more. */
const UNREAD_EVENTS = 16;

const OPENING = 'retry: 1000\nevent: open\ndata: "hello"\n\n';
const CLOSING = 'retry: 10\nevent: close\ndata: "byebye"\n\n';
const FAULT = 'event: error\ndata: Unexpected stream error\n\n';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  // Keeps proxies from buffering events.
  'X-Accel-Buffering': 'no',
};

/**
 * Answers with server-sent events: those that exist, then those of every further change, until `limit` events are sent, the
 * client disconnects, or almost a minute has passed.
 * @param first the first events of `source`, read beforehand so that an error can still be returned as a response
 */
export function eventStream(
  source: StreamSource,
  first: readonly StreamEvent[],
  limit: number,
): Response {
  const encoder = new TextEncoder();
  let end = (): void => {};
  let resume = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let left = limit;
        let busy = false;
        let changed = false;
        let ended = false;
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const stopListening = source.onChange(() => void read());
        const timer = setTimeout(() => close(CLOSING), LONGEST_STREAM_MILLISECONDS);
        timer.unref();
        let leave = (): void => {};
        end = () => {
          ended = true;
          clearTimeout(timer);
          stopListening();
          leave();
        };
        const close = (farewell: string): void => {
          if (ended) return;
          end();
          write(farewell);
          controller.close();
        };
        const send = (events: readonly StreamEvent[]): void => {
          for (const event of events.slice(0, left)) write(eventText(event));
          left -= events.length;
          if (left <= 0) close(CLOSING);
        };
        const read = async (): Promise<void> => {
          changed = true;
          if (busy) return;
          busy = true;
          try {
            // Reading pauses while the client does not read.
            while (changed && !ended && (controller.desiredSize ?? 0) > 0) {
              changed = false;
              const events = await source.next();
              if (ended) break;
              send(events);
              // There might be more than fits on one page.
              if (events.length > 0) changed = true;
            }
          } catch (error) {
            source.onFault(error);
            close(FAULT);
          } finally {
            busy = false;
          }
        };
        resume = () => {
          if (changed && !ended) void read();
        };
        write(OPENING);
        send(first);
        if (!ended) leave = source.onOpen(() => close(CLOSING));
        if (!ended && first.length > 0) void read();
      },
      pull() {
        resume();
      },
      cancel() {
        end();
      },
    },
    { highWaterMark: UNREAD_EVENTS },
  );
  return new Response(body, { headers: HEADERS });
}

function eventText({ id, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

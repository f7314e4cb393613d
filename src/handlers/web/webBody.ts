/** What was read of a body, and what is left of it. */
export interface ReadBody {
  readonly pieces: readonly Uint8Array[];
  /** `undefined` if all of it was read. */
  readonly rest: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** A piece that was asked for, and did not arrive in time. */
  readonly next: ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> | undefined;
}

/** Joins the pieces of a body. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Reads a body until it ends, is longer than the bound, or takes too long.
 * @throws what the stream fails with
 */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  withinMs: number,
): Promise<ReadBody> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), withinMs);
  });
  try {
    for (;;) {
      const next = reader.read();
      const read = await Promise.race([next, late]);
      if (read === 'late') {
        // Read later, and reported then.
        next.catch(() => {});
        return { pieces, rest: reader, next };
      }
      if (read.done) return { pieces, rest: undefined, next: undefined };
      pieces.push(read.value);
      length += read.value.length;
      if (length > maxBytes) return { pieces, rest: reader, next: undefined };
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Passes a body on, from what was read of it.
 * @param ended called once: `broken` if the source failed; a reader that stops has what it wanted
 */
export function passOn(
  { pieces, rest, next }: ReadBody,
  ended: (how: 'delivered' | 'broken') => Promise<void>,
): ReadableStream<Uint8Array> {
  const first = [...pieces];
  let waiting = next;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = first.shift();
      if (piece !== undefined) return controller.enqueue(piece);
      try {
        const read = await (waiting ?? rest?.read());
        waiting = undefined;
        if (read !== undefined && !read.done) return controller.enqueue(read.value);
      } catch (error) {
        await ended('broken');
        return controller.error(error);
      }
      await ended('delivered');
      controller.close();
    },
    async cancel(reason) {
      await ended('delivered');
      await rest?.cancel(reason);
    },
  });
}

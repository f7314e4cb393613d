import { oneLine } from '../../protocol/index.ts';

/** How long a seller may send nothing while it sends a body. */
const MAX_SILENCE_MS = 60_000;

/** A response whose body did not arrive in whole. The message is a sentence. */
export class BodyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BodyError';
  }
}

/** How a body is read. */
export interface BodyRules {
  /** Bytes, after decompression. */
  readonly maxBytes: number;
  /** What to do about a longer body; a sentence. */
  readonly ifLonger: string;
  readonly maxSilenceMs?: number;
}

/** Returns a size for people. */
export function inBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${Math.round(size * 10) / 10} ${units[unit]}`;
}

/** Waits for the next piece, for a limited time. */
async function next(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxSilenceMs: number,
): Promise<Uint8Array | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new BodyError(`The seller sent nothing more for ${maxSilenceMs / 1_000} s.`));
    }, maxSilenceMs);
  });
  try {
    const { done, value } = await Promise.race([reader.read(), silence]);
    return done ? undefined : value;
  } catch (error) {
    if (error instanceof BodyError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? oneLine(cause.message) : 'the connection ended';
    throw new BodyError(`The response was cut off: ${why}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads a body piece by piece, and ends its connection on every exit.
 * @throws BodyError if it is cut off, stops arriving, cannot be decompressed, or is longer than the limit
 */
export async function* readBody(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, ifLonger, maxSilenceMs = MAX_SILENCE_MS }: BodyRules,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  let read = 0;
  try {
    for (;;) {
      const piece = await next(reader, maxSilenceMs);
      if (piece === undefined) return;
      const room = maxBytes - read;
      read += piece.length;
      if (piece.length > room) {
        if (room > 0) yield piece.subarray(0, room);
        throw new BodyError(`The response is longer than ${inBytes(maxBytes)}. ${ifLonger}`);
      }
      yield piece;
    }
  } finally {
    // A seller that sends without end must not keep the process.
    reader.cancel().catch(() => {});
  }
}

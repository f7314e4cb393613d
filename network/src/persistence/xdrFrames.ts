/**
 * Stream framing of XDR (RFC 5531 section 11, as stellar-core writes its metadata): four bytes with the length and the
 * top bit set, then the value.
 */

/** Bytes before each value. */
export const FRAME_HEADER_BYTES = 4;
const LAST_FRAGMENT = 0x80000000;

/** A value with its frame header, ready to be written at once. */
export function frameOf(value: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + value.length);
  frame.writeUInt32BE(LAST_FRAGMENT + value.length, 0);
  frame.set(value, FRAME_HEADER_BYTES);
  return frame;
}

/** The position of a value in a file of frames. */
export interface FramePlace {
  /** Of the value, after its frame header. */
  readonly offset: number;
  readonly length: number;
}

/** The result of a walk along frames. */
export interface FrameWalk {
  readonly places: readonly FramePlace[];
  /** Where the last complete frame ends. */
  readonly end: number;
  /**
   * What follows `end`: nothing, an incomplete frame (or zeros, which a file system can leave after a power failure), or
   * something that is not a frame.
   */
  readonly tail: 'none' | 'torn' | 'foreign';
}

/** Walks along the frames in `bytes` without reading the values. */
export function walkFrames(bytes: Uint8Array): FrameWalk {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places: FramePlace[] = [];
  let at = 0;
  while (at + FRAME_HEADER_BYTES <= view.length) {
    const header = view.readUInt32BE(at);
    if (header < LAST_FRAGMENT) {
      const zeros = view.subarray(at).every((byte) => byte === 0);
      return { places, end: at, tail: zeros ? 'torn' : 'foreign' };
    }
    const length = header - LAST_FRAGMENT;
    const offset = at + FRAME_HEADER_BYTES;
    if (offset + length > view.length) return { places, end: at, tail: 'torn' };
    places.push({ offset, length });
    at = offset + length;
  }
  return { places, end: at, tail: at === view.length ? 'none' : 'torn' };
}

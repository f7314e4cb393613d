import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { type Exchange, headerOf } from './exchange.ts';

/** A small body can be decompressed into a huge one. */
const MAX_DECODED_BYTES = 64 * 1024 * 1024;

type Decode = (body: Uint8Array) => Buffer;

/** A body that was cut is decoded as far as it came. */
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_DECODED_BYTES };
const BROTLI = {
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
  maxOutputLength: MAX_DECODED_BYTES,
};
const gunzip: Decode = (body) => gunzipSync(body, ZLIB);
const inflate: Decode = (body) => {
  try {
    return inflateSync(body, ZLIB);
  } catch {
    // Several servers send it without the header of zlib.
    return inflateRawSync(body, ZLIB);
  }
};
const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', (body) => brotliDecompressSync(body, BROTLI)],
]);

/** A body without the encoding in which it was sent, such as `gzip`. */
export interface DecodedBody {
  readonly body: Uint8Array;
  /** The encoding that could not be removed: the body still has it. Empty otherwise. */
  readonly encoding: string;
}

/** Decompresses a body, which servers compress although nothing asks for it. */
export function decodedBody(seen: Pick<Exchange, 'headers' | 'body'>): DecodedBody {
  const encodings = encodingsOf(seen);
  let { body } = seen;
  if (body.length === 0) return { body, encoding: '' };
  for (const encoding of [...encodings].reverse()) {
    try {
      const decode = DECODERS.get(encoding);
      if (decode === undefined) return { body: seen.body, encoding };
      body = decode(body);
    } catch {
      return { body: seen.body, encoding };
    }
  }
  return { body, encoding: '' };
}

/** The encodings of a body, in the order in which they were applied. */
export function encodingsOf(seen: Pick<Exchange, 'headers'>): readonly string[] {
  return (headerOf(seen, 'content-encoding') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/** An HTTP response that is relevant to the calls. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds for which the server asks not to be called; absent if it does not ask. */
  readonly retryAfterMs?: number;
}

/** The result of the bytes so far. */
export type ReadState =
  | { readonly state: 'incomplete' }
  | { readonly state: 'malformed'; readonly why: string }
  | { readonly state: 'too_large' }
  | {
      readonly state: 'whole';
      readonly answer: HttpAnswer;
      /** Milliseconds for which the connection may be used again; 0 if not at all. */
      readonly keptMs: number;
    };

/** How long a connection is kept if the server does not announce a timeout. */
const KEPT_MS = 60_000;
/** How much earlier than the server we close an idle connection, so that no request uses a closed one. */
const MARGIN_MS = 1_000;
/** Longest status line and headers, the limit of Node's own parser. */
const MAX_HEAD_BYTES = 16_384;
/** Maximum length of a chunk's size line with its extensions, and of all trailers. */
const MAX_CHUNK_LINE_BYTES = 1_024;

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;

const INCOMPLETE: ReadState = { state: 'incomplete' };

function malformed(why: string): ReadState {
  return { state: 'malformed', why };
}

/** How the length of a body is determined (RFC 9112, section 6.3). */
type Framing =
  | { readonly by: 'length'; readonly bytes: number }
  | { readonly by: 'chunks' }
  | { readonly by: 'end' };

interface Head {
  readonly status: number;
  readonly framing: Framing;
  readonly keptMs: number;
  readonly retryAfterMs?: number | undefined;
}

/** Reads `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). @returns milliseconds; `undefined` if it is neither */
function retryAfter(value: string): number | undefined {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The response with these headers and this body. */
function answerOf({ status, retryAfterMs }: Head, text: string): HttpAnswer {
  return retryAfterMs === undefined ? { status, text } : { status, text, retryAfterMs };
}

/** Reads the status line and headers. @returns a description of the problem if they are malformed */
function readHead(text: string): Head | string {
  const [first = '', ...lines] = text.split(LINE_END);
  const status = STATUS_LINE.exec(first);
  if (status === null) return 'a status line that is not HTTP/1';
  let length: string | undefined;
  let isChunked = false;
  let isKept = status[1] === '1';
  let keptMs = KEPT_MS;
  let retryAfterMs: number | undefined;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!TOKEN.test(name)) return 'a malformed header';
    const value = line.slice(colon + 1).trim();
    switch (name) {
      case 'content-length':
        if (!/^\d{1,15}$/.test(value) || (length ?? value) !== value) return 'a malformed length';
        length = value;
        break;
      case 'transfer-encoding':
        if (value.toLowerCase() !== 'chunked' || isChunked) return 'an unknown transfer coding';
        isChunked = true;
        break;
      case 'connection':
        if (/\bclose\b/i.test(value)) isKept = false;
        else if (/\bkeep-alive\b/i.test(value)) isKept = true;
        break;
      case 'retry-after':
        retryAfterMs = retryAfter(value);
        break;
      case 'keep-alive': {
        const seconds = /\btimeout=(\d{1,6})\b/i.exec(value)?.[1];
        if (seconds !== undefined) keptMs = Math.max(0, Number(seconds) * 1_000 - MARGIN_MS);
        break;
      }
    }
  }
  if (isChunked && length !== undefined) return 'two lengths';
  const code = Number(status[2]);
  const isEmpty = code < 200 || code === 204 || code === 304;
  const framing: Framing = isEmpty
    ? { by: 'length', bytes: 0 }
    : isChunked
      ? { by: 'chunks' }
      : length === undefined
        ? { by: 'end' }
        : { by: 'length', bytes: Number(length) };
  return {
    status: code,
    framing,
    keptMs: isKept && framing.by !== 'end' ? keptMs : 0,
    retryAfterMs,
  };
}

/**
 * Reads one HTTP/1 response to a POST from the bytes of a connection (RFC 9112). Anything else, including a response with an
 * ambiguous length, is malformed. Never throws.
 */
export class HttpAnswerReader {
  readonly #maxBytes: number;
  /** Bytes that are not parsed yet. */
  #rest: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  /** Bytes of the current chunk that are still to come; `undefined` before its size. */
  #chunkLeft: number | undefined;
  #inTrailers = false;

  /** @param maxBytes largest body that is accepted */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether status and headers have arrived. */
  get hasHead(): boolean {
    return this.#head !== undefined;
  }

  /** Adds bytes that arrived. They are copied if they are needed later. */
  push(bytes: Buffer): ReadState {
    // Usually everything arrives at once, and nothing is copied.
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#head === undefined) {
      const at = rest.indexOf(HEAD_END);
      if (at > MAX_HEAD_BYTES || (at < 0 && rest.length > MAX_HEAD_BYTES)) {
        return malformed('headers that are too long');
      }
      if (at < 0) return this.#keep(rest);
      const head = readHead(rest.toString('latin1', 0, at));
      if (typeof head === 'string') return malformed(head);
      rest = rest.subarray(at + HEAD_END.length);
      // An interim response; the final one follows.
      if (head.status >= 200) this.#head = head;
      else if (head.status === 101) return malformed('a change of protocol');
    }
    const { framing } = this.#head;
    switch (framing.by) {
      case 'length':
        return this.#takeLength(this.#head, framing.bytes, rest);
      case 'chunks':
        return this.#takeChunks(this.#head, rest);
      case 'end':
        return this.#add(rest) ? INCOMPLETE : { state: 'too_large' };
    }
  }

  /** Returns the result when the connection ends. */
  end(): ReadState {
    return this.#head?.framing.by === 'end' ? this.#whole(this.#head, 0) : INCOMPLETE;
  }

  #takeLength(head: Head, length: number, rest: Buffer): ReadState {
    if (length > this.#maxBytes) return { state: 'too_large' };
    const missing = length - this.#size;
    if (rest.length < missing) {
      this.#add(rest);
      return INCOMPLETE;
    }
    const extra = rest.length - missing;
    if (this.#size === 0) {
      const text = rest.toString('utf8', 0, missing);
      const answer = answerOf(head, text);
      return { state: 'whole', answer, keptMs: extra === 0 ? head.keptMs : 0 };
    }
    this.#add(rest.subarray(0, missing));
    return this.#whole(head, extra);
  }

  #takeChunks(head: Head, bytes: Buffer): ReadState {
    let rest = bytes;
    for (;;) {
      if (this.#chunkLeft !== undefined) {
        const part = rest.subarray(0, this.#chunkLeft);
        if (!this.#add(part)) return { state: 'too_large' };
        rest = rest.subarray(part.length);
        this.#chunkLeft -= part.length;
        if (this.#chunkLeft > 0) return this.#keep(rest);
        if (rest.length < LINE_END.length) return this.#keep(rest);
        if (rest.toString('latin1', 0, LINE_END.length) !== LINE_END)
          return malformed('a malformed chunk');
        rest = rest.subarray(LINE_END.length);
        this.#chunkLeft = undefined;
      }
      const at = rest.indexOf(LINE_END);
      if (at > MAX_CHUNK_LINE_BYTES || (at < 0 && rest.length > MAX_CHUNK_LINE_BYTES)) {
        return malformed('a chunk line that is too long');
      }
      if (at < 0) return this.#keep(rest);
      const line = rest.toString('latin1', 0, at);
      rest = rest.subarray(at + LINE_END.length);
      if (this.#inTrailers) {
        if (line === '') return this.#whole(head, rest.length);
        this.#size += line.length;
        if (this.#size > this.#maxBytes) return { state: 'too_large' };
        continue;
      }
      const size = /^([0-9a-f]{1,8})[\t ]*(?:;[^\r\n]*)?$/i.exec(line)?.[1];
      if (size === undefined) return malformed('a malformed chunk');
      const length = Number.parseInt(size, 16);
      if (length === 0) this.#inTrailers = true;
      else this.#chunkLeft = length;
    }
  }

  #keep(rest: Buffer): ReadState {
    this.#rest = rest.length === 0 ? rest : Buffer.from(rest);
    return INCOMPLETE;
  }

  /** @returns false if the body is too large */
  #add(part: Buffer): boolean {
    this.#rest = Buffer.alloc(0);
    this.#size += part.length;
    if (part.length > 0) this.#parts.push(Buffer.from(part));
    return this.#size <= this.#maxBytes;
  }

  #whole(head: Head, extra: number): ReadState {
    const text = Buffer.concat(this.#parts).toString('utf8');
    // Bytes after the response do not belong to any request, so the connection is out of sync.
    const answer = answerOf(head, text);
    return { state: 'whole', answer, keptMs: extra === 0 ? head.keptMs : 0 };
  }
}

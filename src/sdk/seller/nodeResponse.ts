import { bytesWritten, headersWritten } from '../../protocol/index.ts';

/** A response that was sent. */
export interface SentResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `undefined` if it was too long or broke off. */
  readonly body: Uint8Array | undefined;
}

/** The part of a request of `node:http` or Express that is used. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express: the URL before a router removed its own part of the path. */
  readonly originalUrl?: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

type Method = (...args: unknown[]) => unknown;

/** The part of a response of `node:http` that is used. */
export interface NodeResponse {
  statusCode: number;
  getHeaders(): Readonly<Record<string, unknown>>;
  setHeader(name: string, value: string | readonly string[]): unknown;
  once(event: 'close', listener: () => void): unknown;
  writeHead: (...args: never[]) => unknown;
  write: (...args: never[]) => unknown;
  end: (...args: never[]) => unknown;
}

/** Sends a whole response. */
export function sendTo(response: NodeResponse, { status, headers, body }: SentResponse): void {
  response.statusCode = status;
  const named = new Map<string, string[]>();
  for (const [name, value] of headers) named.set(name, [...(named.get(name) ?? []), value]);
  for (const [name, values] of named) {
    const [first = ''] = values;
    response.setHeader(name, values.length === 1 ? first : values);
  }
  (response.end as Method).call(response, body ?? '');
}

/** Joins the pieces of a body. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Records a response while it is sent. Call it before any other code replaces the response's methods, so that it sees what
 * those pass on.
 * @returns the response once its connection is done with it; `undefined` if it had none
 */
export function recordResponse(
  response: NodeResponse,
  maxBytes: number,
): Promise<SentResponse | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let head: Pick<SentResponse, 'status' | 'headers'> | undefined;
  let ended = false;

  /** Before the headers go: afterwards, a compression that is further out may have changed them. */
  function readHead(status: number, args: readonly unknown[]): void {
    head ??= { status, headers: headersWritten(response.getHeaders(), args) };
  }
  function take(args: readonly unknown[]): void {
    const bytes = bytesWritten(args);
    length += bytes.length;
    if (length <= maxBytes) pieces.push(bytes);
  }
  const { writeHead, write, end } = response as unknown as Readonly<Record<string, Method>>;
  const recorded: Partial<Record<'writeHead' | 'write' | 'end', Method>> = {
    writeHead(...args) {
      readHead(typeof args[0] === 'number' ? args[0] : response.statusCode, args);
      return writeHead?.apply(response, args);
    },
    write(...args) {
      readHead(response.statusCode, []);
      take(args);
      return write?.apply(response, args);
    },
    end(...args) {
      readHead(response.statusCode, []);
      take(args);
      ended = true;
      return end?.apply(response, args);
    },
  };
  Object.assign(response, recorded);

  return new Promise((resolve) => {
    response.once('close', () => {
      if (head === undefined) resolve(undefined);
      else resolve({ ...head, body: ended && length <= maxBytes ? joined(pieces) : undefined });
    });
  });
}

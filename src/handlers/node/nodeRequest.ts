import type { Incoming } from '../sellRequest.ts';
import { joined } from '../web/webBody.ts';

/** The part of a request of `node:http`, Express or connect that is used. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express: the URL before a router removed its own part of the path. */
  readonly originalUrl?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** What a parser of bodies read already. */
  readonly body?: unknown;
  readonly complete: boolean;
  readonly readableEnded: boolean;
  readonly socket: object;
  read(): unknown;
  unshift(piece: Uint8Array): void;
  on(event: string, listener: (...values: never[]) => void): unknown;
  removeListener(event: string, listener: (...values: never[]) => void): unknown;
}

/** Reads a request of Node as a sale needs it. @param body how its body is read */
export function incomingOf(request: NodeRequest, body: Incoming['body']): Incoming {
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const scheme =
    'encrypted' in request.socket && request.socket.encrypted === true ? 'https' : 'http';
  return {
    method: request.method ?? 'GET',
    target: request.originalUrl ?? request.url ?? '/',
    origin: `${scheme}://${header('host') ?? 'localhost'}`,
    header,
    body,
  };
}

/** Whether a request says that it has a body. */
export function hasBody({ headers }: Pick<NodeRequest, 'headers'>): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads the body of a request, and puts it back for the handler. What a parser read already is taken unchanged.
 * @throws Error if the client leaves before its end
 */
export async function readNodeBody(
  request: NodeRequest,
  maxBytes: number,
): Promise<Uint8Array | 'too_large'> {
  if (!hasBody(request)) return new Uint8Array();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too_large';
  const { body } = request;
  if (body !== undefined || request.readableEnded) return parsedBytes(body);
  const pieces: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const take = (): void => {
      for (let piece = request.read(); piece !== null; piece = request.read()) {
        if (!(piece instanceof Uint8Array)) {
          done(() => reject(new Error('the body was decoded')));
          return;
        }
        pieces.push(piece);
        length += piece.length;
        if (length > maxBytes) {
          done(() => resolve('too_large'));
          return;
        }
      }
      if (!request.complete) return;
      const whole = joined(pieces);
      // Put back in the same tick: afterwards, Node would say that the body has ended.
      if (whole.length > 0) request.unshift(whole);
      // A parser would wait for the end of a body without a byte, which Node has reported already.
      else request.headers = { ...request.headers, 'transfer-encoding': undefined };
      done(() => resolve(whole));
    };
    const gone = (): void => done(() => reject(new Error('the client left before its body ended')));
    const done = (then: () => void): void => {
      request.removeListener('readable', take);
      request.removeListener('error', gone);
      request.removeListener('close', gone);
      then();
    };
    request.on('error', gone);
    request.on('close', gone);
    request.on('readable', take);
  });
}

/** The bytes for which a body that was parsed stands: equal ones for equal bodies. */
function parsedBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

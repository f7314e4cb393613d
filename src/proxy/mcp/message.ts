import { membersOf, objectText, problemIn, type RawObject } from './rawJson.ts';

/** Identifies a request to its sender. */
export type RequestId = string | number;

/** A JSON-RPC message of a client. Everything but the method and the id stays in the text that it came with. */
export type ClientMessage =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: RawObject | undefined;
      /** `_meta` beside `params`, where JSON-RPC in general has it; `undefined` if it is not an object. Servers do not get it. */
      readonly rootMeta: RawObject | undefined;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: RawObject | undefined;
    }
  /** An answer to what the server asked. */
  | { readonly kind: 'answer'; readonly text: string };

export type ClientRequest = Extract<ClientMessage, { kind: 'request' }>;

/** A refusal in the form of JSON-RPC; the id is `null` if the request's is not known. */
export interface Refusal {
  readonly id: RequestId | null;
  readonly code: number;
  readonly message: string;
}

export type ReadMessage =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: false; readonly refusal: Refusal };

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
/** MCP has no code for it; this is the one of the Language Server Protocol. */
export const REQUEST_CANCELLED = -32_800;

/** Longest id of a request, in UTF-16 units. */
const MAX_ID_LENGTH = 1_000;

function refused(id: RequestId | null, code: number, message: string): ReadMessage {
  return { ok: false, refusal: { id, code, message } };
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);
}

/**
 * Reads a message of a client. Whatever a server could read as another message than the one that was priced is refused: a list
 * of messages, a name twice in one object, a list of parameters. Only the members that JSON-RPC knows are kept.
 */
export function readMessage(bytes: Uint8Array): ReadMessage {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    return refused(null, PARSE_ERROR, 'The body is not JSON in UTF-8.');
  }
  if (Array.isArray(value)) {
    return refused(
      null,
      INVALID_REQUEST,
      'Batches are not supported: send each message in a request of its own.',
    );
  }
  const members = membersOf(text);
  if (members === undefined) return refused(null, INVALID_REQUEST, 'A message is a JSON object.');
  const read = value as Readonly<Record<string, unknown>>;
  const given = Object.hasOwn(read, 'id') ? read['id'] : undefined;
  const id = isId(given) ? given : null;
  const problem = problemIn(text);
  if (problem === 'duplicate_name') {
    return refused(null, INVALID_REQUEST, 'An object in the message has a name twice.');
  }
  if (problem === 'too_deep') return refused(null, INVALID_REQUEST, 'The message is too deep.');
  if (read['jsonrpc'] !== '2.0') return refused(id, INVALID_REQUEST, 'jsonrpc must be "2.0".');
  const kinds = ['method', 'result', 'error'].filter((name) => members.has(name));
  if (kinds.length !== 1) {
    return refused(id, INVALID_REQUEST, 'A message has one of method, result and error.');
  }
  if (given !== undefined && id === null) {
    return refused(null, INVALID_REQUEST, 'id must be a short text or a whole number.');
  }
  if (kinds[0] !== 'method') {
    if (id === null)
      return refused(null, INVALID_REQUEST, 'An answer needs the id of its request.');
    const known = ['jsonrpc', 'id', 'result', 'error'];
    const kept = new Map([...members].filter(([name]) => known.includes(name)));
    return { ok: true, message: { kind: 'answer', text: objectText(kept) } };
  }
  const { method } = read;
  if (typeof method !== 'string') return refused(id, INVALID_REQUEST, 'method must be a text.');
  const paramsText = members.get('params');
  const params = paramsText === undefined ? undefined : membersOf(paramsText);
  if (paramsText !== undefined && params === undefined) {
    return refused(id, INVALID_PARAMS, 'params must be an object.');
  }
  return {
    ok: true,
    message:
      id === null
        ? { kind: 'notification', method, params }
        : { kind: 'request', id, method, params, rootMeta: membersOf(members.get('_meta') ?? '') },
  };
}

/** Writes a request or, without an id, a notification. */
export function messageText(method: string, params: RawObject | undefined, id?: RequestId): string {
  const parts = new Map([
    ['jsonrpc', '"2.0"'],
    ...(id === undefined ? [] : [['id', JSON.stringify(id)] as const]),
    ['method', JSON.stringify(method)],
    ...(params === undefined ? [] : [['params', objectText(params)] as const]),
  ]);
  return objectText(parts);
}

/** The outcome of a request: one of both, as it came. */
export type RpcOutcome = { readonly result: string } | { readonly error: string };

/** Writes the answer to a request. */
export function answerText(id: RequestId | null, outcome: RpcOutcome): string {
  const [name, value] = 'result' in outcome ? ['result', outcome.result] : ['error', outcome.error];
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${name}":${value}}`;
}

/** Writes a refusal. */
export function refusalText({ id, code, message }: Refusal): string {
  return answerText(id, { error: JSON.stringify({ code, message }) });
}

/** A message of a server: the answer to a request, or anything else, which is passed on as it came. */
export type ServerMessage =
  | { readonly kind: 'answer'; readonly id: RequestId | null; readonly outcome: RpcOutcome }
  | {
      readonly kind: 'other';
      readonly text: string;
      readonly method: string;
      /** Whether the client has to answer. */
      readonly id: RequestId | undefined;
      readonly params: RawObject | undefined;
    };

/** Reads a message of a server. @returns `undefined` if it is not one */
export function readServerMessage(text: string): ServerMessage | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const members = membersOf(text);
  if (members === undefined) return undefined;
  const rawId = members.get('id');
  const id: unknown = rawId === undefined ? undefined : JSON.parse(rawId);
  const method = members.get('method');
  if (method !== undefined) {
    const params = members.get('params');
    return {
      ...{ kind: 'other', text, method: String(JSON.parse(method)) },
      id: isId(id) ? id : undefined,
      params: params === undefined ? undefined : membersOf(params),
    };
  }
  const [result, error] = [members.get('result'), members.get('error')];
  const outcome = error !== undefined ? { error } : result !== undefined ? { result } : undefined;
  if (outcome === undefined) return undefined;
  return { kind: 'answer', id: isId(id) ? id : null, outcome };
}

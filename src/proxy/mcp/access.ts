import { CREDENTIAL_META } from '../../protocol/mpp/index.ts';
import type { McpConfig, Terms } from '../config/config.ts';
import {
  type ClientMessage,
  type ClientRequest,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
} from './message.ts';
import { canonicalText, membersOf, objectText, type RawObject } from './rawJson.ts';

/** A call of a tool, as the server gets it. */
export interface ToolCall {
  readonly name: string;
  /** Without a payment. */
  readonly params: RawObject;
  /** Members of `_meta` without a payment. */
  readonly meta: RawObject;
  /** The payment of x402, as it came: JSON. */
  readonly payment: string | undefined;
  /** The credential of MPP, as it came: JSON. */
  readonly credential: string | undefined;
}

/** The decision about a message before any payment. */
export type McpAccess =
  /** @property adds what is added to the answer: prices to the tools in it, or payment methods to the server's capabilities */
  | { readonly kind: 'free'; readonly message: ClientMessage; readonly adds?: AddedToAnswer }
  | {
      readonly kind: 'sold';
      readonly request: ClientRequest;
      readonly call: ToolCall;
      readonly terms: Terms;
    }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string };

/** What the proxy adds to a server's answer. */
export type AddedToAnswer = 'prices' | 'methods';

/** Methods whose results name the server's capabilities. */
const DESCRIBING: readonly string[] = ['initialize', 'server/discover'];

/** Member of `_meta` with the payment for a call (specs/transports-v2/mcp.md). */
export const PAYMENT_META = 'x402/payment';
/** Member of `_meta` that says to the server who paid; clients' own is dropped. */
export const PAYER_META = 'svc-x402/payment';

/** Members of `_meta` that no server gets, whichever protocol is on. */
const PAYMENT_MEMBERS: readonly string[] = [PAYMENT_META, CREDENTIAL_META, PAYER_META];

/** Members of the parameters of `tools/call`, in all revisions. */
const CALL_MEMBERS = ['name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState'];
/** Longest name of a tool, in UTF-16 units. */
const MAX_NAME_LENGTH = 256;

/**
 * The spelling that a lenient server may read: without letter case, forms of Unicode, and what is not seen. Servers in Go read
 * names of members without their case.
 */
function lenient(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}\p{M}]/gu, '')
    .toLowerCase()
    .toUpperCase();
}

/** As `lenient`, for names of tools: what separates their words does not count. */
function lenientName(text: string): string {
  return lenient(text).replace(/[^\p{L}\p{N}]/gu, '');
}

const refused = (code: number, message: string): McpAccess => ({ kind: 'refused', code, message });

/**
 * Decides about a message. No tool is free by accident: what a lenient server could read as a call of a sold tool is refused,
 * and so is every method below `tools/` that is not known.
 */
export function accessTo(message: ClientMessage, config: McpConfig): McpAccess {
  if (message.kind === 'answer') return { kind: 'free', message };
  const { kind, method } = message;
  const spelled = lenient(method);
  if (kind === 'request' && method === 'tools/list') {
    return { kind: 'free', message, adds: 'prices' };
  }
  if (kind === 'request' && DESCRIBING.includes(method)) {
    return { kind: 'free', message, adds: 'methods' };
  }
  if (method === 'tools/call') {
    return kind === 'request'
      ? callAccess(message, config)
      : refused(INVALID_REQUEST, 'A call of a tool needs an id: its price could not be asked for.');
  }
  if (/^[^\p{L}\p{N}]*TOOLS?(?![\p{L}\p{N}])/u.test(spelled)) {
    return refused(METHOD_NOT_FOUND, 'Only tools/list and tools/call are served.');
  }
  return { kind: 'free', message };
}

function callAccess(request: ClientRequest, config: McpConfig): McpAccess {
  const { params } = request;
  if (params === undefined) return refused(INVALID_PARAMS, 'params.name is missing.');
  const odd = [...params.keys()].find(
    (name) =>
      !CALL_MEMBERS.includes(name) &&
      CALL_MEMBERS.some((known) => lenient(known) === lenient(name)),
  );
  if (odd !== undefined) {
    return refused(INVALID_PARAMS, `Servers read the member ${JSON.stringify(odd)} differently.`);
  }
  const name: unknown = JSON.parse(params.get('name') ?? 'null');
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) {
    return refused(INVALID_PARAMS, 'params.name must be the name of a tool.');
  }
  const given = params.get('arguments');
  if (given !== undefined && membersOf(given) === undefined) {
    return refused(INVALID_PARAMS, 'params.arguments must be an object.');
  }
  const givenMeta = params.get('_meta');
  const meta = givenMeta === undefined ? new Map<string, string>() : membersOf(givenMeta);
  if (meta === undefined) return refused(INVALID_PARAMS, 'params._meta must be an object.');
  const credentials = [meta, request.rootMeta].flatMap((each) => each?.get(CREDENTIAL_META) ?? []);
  const [credential] = credentials;
  if (new Set(credentials.map(canonicalText)).size > 1) {
    return refused(INVALID_PARAMS, `_meta and params._meta have different ${CREDENTIAL_META}.`);
  }

  const terms = config.tools.has(name) ? config.tools.get(name) : undefined;
  const isNamed = config.tools.has(name);
  const near = isNamed ? undefined : nearName(name, config);
  if (near !== undefined) {
    return refused(INVALID_PARAMS, `Use the tool's listed name: ${JSON.stringify(near)}.`);
  }
  const { otherwise } = config;
  if (!isNamed && otherwise === 'closed') {
    return refused(INVALID_PARAMS, `Unknown tool: ${name.slice(0, MAX_NAME_LENGTH)}`);
  }
  const price = isNamed ? terms : otherwise === 'free' ? undefined : (otherwise as Terms);
  const forwarded = new Map([...meta].filter(([key]) => !PAYMENT_MEMBERS.includes(key)));
  if (price === undefined) {
    const kept = withMeta(params, forwarded);
    return { kind: 'free', message: { ...request, params: kept } };
  }
  if (params.has('task')) {
    return refused(INVALID_PARAMS, 'A sold tool cannot be called as a task.');
  }
  return {
    kind: 'sold',
    request,
    terms: price,
    call: {
      name,
      params: withMeta(params, forwarded),
      meta: forwarded,
      payment: meta.get(PAYMENT_META),
      credential,
    },
  };
}

/** Returns the parameters with this `_meta`, or without one if it is empty. */
export function withMeta(params: RawObject, meta: RawObject): RawObject {
  const changed = new Map(params);
  if (meta.size === 0) changed.delete('_meta');
  else changed.set('_meta', objectText(meta));
  return changed;
}

/** Returns the tool with a rule of its own that a lenient server could find under this name. */
function nearName(name: string, { tools }: McpConfig): string | undefined {
  const spelled = lenientName(name);
  return [...tools.keys()].find((each) => lenientName(each) === spelled);
}

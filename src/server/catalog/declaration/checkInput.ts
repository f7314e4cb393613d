import type { EchoedInput } from './echoed.ts';
import { isJsonObject, type Json } from './jsonTree.ts';

const QUERY_METHODS = new Set(['GET', 'HEAD', 'DELETE']);
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);
const BODY_TYPES = new Set(['json', 'form-data', 'text']);
const TRANSPORTS = new Set(['streamable-http', 'sse']);

const isOneOf = (value: Json | undefined, names: ReadonlySet<string>): boolean =>
  value === undefined || (typeof value === 'string' && names.has(value));

function checkHttp({ method, bodyType }: EchoedInput): string | undefined {
  if (!isOneOf(method, QUERY_METHODS) && !isOneOf(method, BODY_METHODS)) {
    return 'info.input.method is not GET, HEAD, DELETE, POST, PUT or PATCH';
  }
  if (!isOneOf(bodyType, BODY_TYPES)) return 'info.input.bodyType is not json, form-data or text';
  if (bodyType !== undefined && !isOneOf(method, BODY_METHODS)) {
    return 'info.input.bodyType is set, but the method has no body';
  }
  return undefined;
}

function checkTool({ inputSchema, transport }: EchoedInput): string | undefined {
  if (!isJsonObject(inputSchema)) return 'info.input.inputSchema of a tool is missing';
  if (!isOneOf(transport, TRANSPORTS)) return 'info.input.transport is not streamable-http or sse';
  return undefined;
}

/**
 * Checks the form of a declaration's `info.input`, which the seller's own schema cannot guarantee.
 * Source: bazaar extension of x402 v2, as `validateDiscoveryExtensionSpec` reads it.
 * @returns the problem, or `undefined`
 */
export function checkInput(input: EchoedInput): string | undefined {
  if (input.type === 'http') return checkHttp(input);
  if (input.type === 'mcp') return checkTool(input);
  return 'info.input.type is neither http nor mcp';
}

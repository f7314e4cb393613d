import { z } from 'zod';

const rpcId = z.union([z.string(), z.number(), z.null()]);

/** A JSON-RPC message of MCP, as far as the route itself reads it. */
export const rpcMessageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: rpcId.optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

/** A JSON-RPC error. */
export const rpcErrorSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: rpcId.optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

/** JSON-RPC 2.0: the text is not JSON. */
export const PARSE_ERROR = -32_700;
/** JSON-RPC 2.0: the JSON is not a request. */
export const INVALID_REQUEST = -32_600;

/** Answer to a body that is not a message of MCP. */
export function rpcError(code: number, message: string): z.infer<typeof rpcErrorSchema> {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

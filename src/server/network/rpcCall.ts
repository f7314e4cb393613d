import type { z } from 'zod';
import { RpcError } from './rpcError.ts';

/** Makes one call and returns `result`, not parsed. */
export type RpcCall = (method: string, params: object | undefined) => Promise<unknown>;

/** Makes one call and parses its result with a schema. */
export async function callAndRead<T>(
  call: RpcCall,
  method: string,
  params: object | undefined,
  schema: z.ZodType<T>,
): Promise<T> {
  const parsed = schema.safeParse(await call(method, params));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RpcError('bad_answer', method, `${issue?.path.join('.')}: ${issue?.message}`);
}

/** Decodes XDR that the server sent; bytes that do not decode are a bad answer. */
export function decodeAnswer<T>(method: string, decode: () => T): T {
  try {
    return decode();
  } catch {
    throw new RpcError('bad_answer', method, 'XDR that does not decode');
  }
}

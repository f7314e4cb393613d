import * as z from 'zod/mini';
import { jsonRpcCall, readJsonRpcAnswer } from '../../protocol/index.ts';
import { RpcFailedError } from './errors.ts';
import type { HttpTransport } from './httpTransport.ts';

const simulationSchema = z.object({
  latestLedger: z.number(),
  error: z.nullish(z.string()),
  minResourceFee: z.nullish(z.string().check(z.regex(/^\d+$/))),
  transactionData: z.nullish(z.string()),
  results: z.nullish(z.array(z.object({ auth: z.nullish(z.array(z.string())) }))),
  restorePreamble: z.optional(z.unknown()),
});

export type RpcSimulation = z.infer<typeof simulationSchema>;

/** The two calls of a Stellar RPC that a buyer needs. */
export interface SorobanRpc {
  latestLedger(signal?: AbortSignal): Promise<number>;
  /** @param envelope base64 XDR; entries of authorization that are signed are enforced */
  simulate(envelope: string, signal?: AbortSignal): Promise<RpcSimulation>;
}

/** Speaks to a Stellar RPC. Its failures are `RpcFailedError`s. */
export function connectRpc(url: string, transport: HttpTransport): SorobanRpc {
  let nextId = 1;

  async function call(method: string, params: object | undefined, signal?: AbortSignal) {
    let text: string;
    let status: number;
    try {
      const response = await transport({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: jsonRpcCall(nextId++, method, params),
        signal,
      });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new RpcFailedError(`The Stellar RPC ${url} cannot be reached.`, { cause });
    }
    const answer = readJsonRpcAnswer(text);
    if (answer.kind === 'malformed') {
      throw new RpcFailedError(`${url} answered ${method} with HTTP ${status}, not as an RPC.`);
    }
    if (answer.kind === 'error') {
      throw new RpcFailedError(`The RPC refused ${method}: ${answer.message}`);
    }
    return answer.result;
  }

  function read<T>(method: string, schema: z.ZodMiniType<T>, result: unknown): T {
    const parsed = z.safeParse(schema, result);
    if (parsed.success) return parsed.data;
    throw new RpcFailedError(`The RPC's answer to ${method} cannot be read.`);
  }

  return {
    async latestLedger(signal) {
      const result = await call('getLatestLedger', undefined, signal);
      return read('getLatestLedger', z.object({ sequence: z.number() }), result).sequence;
    },
    async simulate(transaction, signal) {
      const result = await call('simulateTransaction', { transaction }, signal);
      return read('simulateTransaction', simulationSchema, result);
    },
  };
}

import * as xdr from '@stellar/stellar-sdk/xdr';
import * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { askRpc, ReadError } from '../http/index.ts';
import { t } from '../words/index.ts';

const entriesShape = z.object({
  entries: z.nullish(z.array(z.object({ key: z.string(), xdr: z.string() }))),
});

/** Calls a Stellar RPC. @throws ReadError if it does not respond, or its response is invalid */
export type RpcCall = <T>(
  method: string,
  params: object | undefined,
  shape: z.ZodMiniType<T>,
) => Promise<T>;

export function rpcCaller(rpcUrl: string, transport: HttpTransport, signal?: AbortSignal): RpcCall {
  const place = new URL(rpcUrl).host;
  return async (method, params, shape) => {
    const answer = await askRpc(
      transport,
      { url: rpcUrl, id: 1, method, params, signal },
      (cause) => new ReadError(t('{0} cannot be reached.', place), 0, { cause }),
    );
    if (answer.kind === 'malformed') throw new ReadError(t('{0} is not a Stellar RPC.', place), 0);
    if (answer.kind === 'error') {
      throw new ReadError(t('{0} refused {1}: {2}', place, method, answer.message), 0);
    }
    const result = z.safeParse(shape, answer.result);
    if (result.success) return result.data;
    throw new ReadError(t('{0} returned an unrecognized response to {1}.', place, method), 0);
  };
}

/** Maximum number of keys that a Stellar RPC returns at once. */
const AT_ONCE = 200;

/** What contracts store under these keys, in the given order; `undefined` for missing entries. */
export async function readContractData(
  keys: readonly xdr.LedgerKey[],
  call: RpcCall,
): Promise<(xdr.ScVal | undefined)[]> {
  const texts = keys.map((key) => key.toXdr('base64'));
  const found = new Map<string, string>();
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const asked = { keys: texts.slice(from, from + AT_ONCE) };
    const { entries } = await call('getLedgerEntries', asked, entriesShape);
    for (const entry of entries ?? []) found.set(entry.key, entry.xdr);
  }
  return texts.map((text) => {
    const entry = found.get(text);
    if (entry === undefined) return undefined;
    const data = xdr.LedgerEntryData.fromXdr(entry, 'base64');
    return data.type === 'contractData' ? data.contractData.val : undefined;
  });
}

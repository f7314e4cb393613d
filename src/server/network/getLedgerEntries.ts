import * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import { callAndRead, decodeAnswer, type RpcCall } from './rpcCall.ts';

const METHOD = 'getLedgerEntries';
const schema = z.object({
  latestLedger: z.number(),
  entries: z.array(z.object({ key: z.string(), xdr: z.string() })).nullish(),
});

export interface LedgerEntries {
  readonly latestLedger: number;
  /** In the order of the keys asked for; `undefined` for an entry that does not exist. */
  readonly entries: readonly (xdr.LedgerEntryData | undefined)[];
}

/** Reads ledger entries by key. The server answers only those that exist and have not expired. */
export async function getLedgerEntries(
  call: RpcCall,
  keys: readonly xdr.LedgerKey[],
): Promise<LedgerEntries> {
  const texts = keys.map((key) => key.toXdr('base64'));
  const answer = await callAndRead(call, METHOD, { keys: texts }, schema);
  const found = new Map((answer.entries ?? []).map((entry) => [entry.key, entry.xdr]));
  return {
    latestLedger: answer.latestLedger,
    entries: texts.map((text) => {
      const data = found.get(text);
      return data === undefined
        ? undefined
        : decodeAnswer(METHOD, () => xdr.LedgerEntryData.fromXdr(data, 'base64'));
    }),
  };
}

import * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import { callAndRead, decodeAnswer, type RpcCall } from './rpcCall.ts';

const METHOD = 'getLedgerEntries';
const schema = z.object({
  latestLedger: z.number(),
  entries: z
    .array(
      z.object({
        key: z.string(),
        xdr: z.string(),
        lastModifiedLedgerSeq: z.number().optional(),
        liveUntilLedgerSeq: z.number().optional(),
      }),
    )
    .nullish(),
});

export interface LedgerEntries {
  readonly latestLedger: number;
  /** In the order of the keys asked for; `undefined` for an entry that does not exist. */
  readonly entries: readonly (xdr.LedgerEntryData | undefined)[];
  /** Ledger that last changed each entry; `undefined` if there is no entry, or the server does not report it. */
  readonly modifiedIn: readonly (number | undefined)[];
  /** Last live ledger of each entry; 0: archived. `undefined` if it does not expire or does not exist. */
  readonly liveUntil: readonly (number | undefined)[];
}

/** The server's entries by key; keys and entries are base64 XDR. */
export interface EntriesAnswer {
  readonly latestLedger: number;
  readonly found: ReadonlyMap<string, FoundEntry>;
}

interface FoundEntry {
  readonly xdr: string;
  readonly lastModifiedLedgerSeq?: number | undefined;
  readonly liveUntilLedgerSeq?: number | undefined;
}

/** Requests the entries for some keys from the server. Keys and entries are base64 XDR. */
export async function askEntries(call: RpcCall, keys: readonly string[]): Promise<EntriesAnswer> {
  const { latestLedger, entries } = await callAndRead(call, METHOD, { keys }, schema);
  return { latestLedger, found: new Map((entries ?? []).map((entry) => [entry.key, entry])) };
}

/**
 * Reads ledger entries by key. Expired temporary entries no longer exist; expired persistent ones are archived.
 * @param ask returns the entries for keys, as base64 XDR
 */
export async function getLedgerEntries(
  ask: (keys: readonly string[]) => Promise<EntriesAnswer>,
  keys: readonly xdr.LedgerKey[],
): Promise<LedgerEntries> {
  const texts = keys.map((key) => key.toXdr('base64'));
  const { latestLedger, found } = await ask(texts);
  return {
    latestLedger,
    modifiedIn: texts.map((text) => found.get(text)?.lastModifiedLedgerSeq),
    liveUntil: texts.map((text) => found.get(text)?.liveUntilLedgerSeq),
    entries: texts.map((text) => {
      const data = found.get(text)?.xdr;
      return data === undefined
        ? undefined
        : decodeAnswer(METHOD, () => xdr.LedgerEntryData.fromXdr(data, 'base64'));
    }),
  };
}

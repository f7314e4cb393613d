import { xdr } from '@stellar/stellar-sdk';
import { ledgerKeyId, storedEntry } from '../state/index.ts';
import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { formatOf, readBase64Xdr, type XdrField, type XdrFormat, xdrField } from './xdrFormat.ts';

/** Result of `getLedgerEntries`. */
export interface LedgerEntriesResult<F extends XdrFormat = XdrFormat> {
  readonly entries: readonly EntryResult<F>[];
  readonly latestLedger: number;
}

type EntryResult<F extends XdrFormat> = XdrField<F, 'key', 'keyJson'> &
  XdrField<F, 'xdr', 'dataJson'> &
  XdrField<F, 'extXdr', 'extJson'> & {
    readonly lastModifiedLedgerSeq: number;
    /** Absent for entries that never expire. */
    readonly liveUntilLedgerSeq?: number;
  };

/** @throws RpcError */
export function getLedgerEntries({ service }: RpcNetwork, params: RpcParams): LedgerEntriesResult {
  const format = formatOf(params);
  const texts = params.texts('keys');
  if (texts.length > LIMITS.ledgerEntryKeys) {
    const { ledgerEntryKeys } = LIMITS;
    throw new RpcError(
      'invalidParams',
      `key count (${texts.length}) exceeds maximum supported (${ledgerEntryKeys})`,
    );
  }
  const keys = [...new Set(texts)].map(keyOf);
  const { state } = service.engine;
  return {
    entries: keys.flatMap((key) => {
      const found = storedEntry(state, ledgerKeyId(key));
      return found === undefined ? [] : [entryResult(key, found.entry, found.liveUntil, format)];
    }),
    latestLedger: service.history.latestSequence,
  };
}

function keyOf(text: string, index: number): xdr.LedgerKey {
  const key = readBase64Xdr(xdr.LedgerKey, text);
  if (key === undefined) {
    throw new RpcError('invalidParams', `cannot unmarshal key value ${text} at index ${index}`);
  }
  if (key.type === 'ttl') {
    throw new RpcError('invalidParams', 'ledger ttl entries cannot be queried directly');
  }
  return key;
}

function entryResult(
  key: xdr.LedgerKey,
  entry: xdr.LedgerEntry,
  liveUntil: number | null,
  format: XdrFormat,
): EntryResult<XdrFormat> {
  return {
    ...xdrField(format, ['key', 'keyJson'], key),
    ...xdrField(format, ['xdr', 'dataJson'], entry.data),
    lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq,
    ...(liveUntil === null ? {} : { liveUntilLedgerSeq: liveUntil }),
    ...xdrField(format, ['extXdr', 'extJson'], entry.ext),
  };
}

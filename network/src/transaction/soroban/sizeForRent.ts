import type { xdr } from '@stellar/stellar-sdk';
import type { SorobanHost } from '../../host/index.ts';
import { entryXdr } from '../../state/index.ts';

/** Bytes for which rent is charged; for contract code, this includes the memory of its compiled form. */
export function sizeForRent(entry: xdr.LedgerEntry, host: SorobanHost): number {
  const bytes = entryXdr(entry);
  return entry.data.type === 'contractCode' ? host.sizeForRent(bytes) : bytes.length;
}

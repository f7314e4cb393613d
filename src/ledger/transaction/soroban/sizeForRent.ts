import type { xdr } from '@stellar/stellar-sdk';
import type { SorobanHost } from '../../host/index.ts';
import { entryXdr } from '../../state/index.ts';

/** Bytes that rent is charged for: of contract code also the memory that it takes when compiled. */
export function sizeForRent(entry: xdr.LedgerEntry, host: SorobanHost): number {
  const bytes = entryXdr(entry);
  return entry.data.type === 'contractCode' ? host.sizeForRent(bytes) : bytes.length;
}

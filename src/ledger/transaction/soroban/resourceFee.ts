import type { ResourceFee, SorobanHost } from '../../host/index.ts';
import type { InnerTransaction } from '../envelope/index.ts';
import { diskReadEntries } from './footprintKeys.ts';

/**
 * The fee of the resources that a Soroban transaction declares, and of so many bytes of events
 * and return value (stellar-core `TransactionFrame::computeSorobanResourceFee`).
 */
export function resourceFeeOf(
  tx: InnerTransaction,
  host: SorobanHost,
  contractEventsBytes: number,
): ResourceFee {
  const resources = tx.sorobanData?.resources;
  if (resources === undefined) return { nonRefundable: 0n, refundable: 0n };
  return host.resourceFee({
    instructions: resources.instructions,
    diskReadEntries: diskReadEntries(tx),
    writeEntries: resources.footprint.readWrite.length,
    diskReadBytes: resources.diskReadBytes,
    writeBytes: resources.writeBytes,
    contractEventsBytes,
    transactionBytes: tx.size,
  });
}

import { type ExtensionResponses, notCataloged } from '../../../protocol/wire/index.ts';
import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Settlement } from '../payment/index.ts';

/**
 * Calls the catalog hook: whatever goes wrong in it, the payment stays settled. The journal records that the
 * call is due together with the settlement, so that it is repeated if the process ends before it.
 */
export async function notifyCatalog(
  settled: Omit<Settlement, 'isProved'>,
  record: SettlementRecord,
  parts: FacilitatorParts,
): Promise<ExtensionResponses> {
  try {
    const isProved = await parts.assets.has(settled.payment.asset);
    const extensions = await parts.onSettled({ ...settled, isProved });
    await parts.journal.cataloged(record, extensions);
    return extensions;
  } catch (error) {
    parts.logger.error({ err: error, hash: settled.hash }, 'cataloging failed');
    return { bazaar: notCataloged('cataloging_error') };
  }
}

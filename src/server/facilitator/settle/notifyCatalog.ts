import { type ExtensionResponses, notCataloged } from '../../../protocol/wire/index.ts';
import type { SettlementRecord } from '../../settlement/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import type { Settlement } from '../payment/index.ts';

/**
 * The catalog hook: whatever goes wrong in it, the payment stays settled. That it is due stands in
 * the journal from the moment the settlement does, and is taken up again after an end of the process.
 */
export async function notifyCatalog(
  settlement: Settlement,
  record: SettlementRecord,
  parts: FacilitatorParts,
): Promise<ExtensionResponses> {
  try {
    const extensions = await parts.onSettled(settlement);
    await parts.journal.cataloged(record, extensions);
    return extensions;
  } catch (error) {
    parts.logger.error({ err: error, hash: settlement.hash }, 'cataloging failed');
    return { bazaar: notCataloged('cataloging_error') };
  }
}

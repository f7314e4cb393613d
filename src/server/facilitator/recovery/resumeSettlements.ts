import { notCataloged } from '../../../protocol/wire/index.ts';
import { resendUntilDecided, type SettlementRecord } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { chooseScheme } from '../schemes/index.ts';
import { notifyCatalog } from '../settle/index.ts';

/** Tells the catalog of a settlement that an earlier run did not get to tell it of. */
async function resumeCatalog(record: SettlementRecord, parts: FacilitatorParts): Promise<void> {
  const { request, transaction, ledger } = record;
  if (request === undefined || transaction === undefined || ledger === undefined) return;
  const prepared = chooseScheme(parts.schemes, request).prepare(request, 'settle');
  if (!prepared.ok) {
    // The service is another one by now, which does not know what it settled then.
    await parts.journal.cataloged(record, { bazaar: notCataloged('cataloging_error') });
    return;
  }
  const settlement = { request, payment: prepared.value, hash: transaction.hash, ledger };
  await notifyCatalog(settlement, record, parts);
}

/** Finds out what became of a transaction that may have been sent, and writes it down. */
async function resumeSubmission(
  record: SettlementRecord,
  transaction: NonNullable<SettlementRecord['transaction']>,
  parts: FacilitatorParts,
): Promise<void> {
  const { network, clock, running, channels, journal, logger } = parts;
  const signer = channels.signerOf(transaction.channel);
  const tools = { network, clock, running, sponsor: parts.sponsor.signer };
  const decision = await resendUntilDecided(transaction, signer, tools);
  if (decision === undefined) return;
  const detail =
    decision.status === 'failed'
      ? decision.resultCode
      : decision.status === 'dropped'
        ? 'no ledger included the transaction'
        : undefined;
  await journal.decided(record, decision, detail);
  logger.info({ hash: transaction.hash, outcome: decision.status }, 'finished what was begun');
  const written = await journal.find(record.id);
  if (written?.catalog === 'due') await resumeCatalog(written, parts);
}

async function resume(record: SettlementRecord, parts: FacilitatorParts): Promise<void> {
  const { transaction } = record;
  if (record.state === 'claimed' || (record.state === 'submitting' && transaction === undefined)) {
    // Nothing was signed: the payer may present it again.
    await parts.journal.release(record);
  } else if (record.state === 'submitting' && transaction !== undefined) {
    await resumeSubmission(record, transaction, parts);
  } else {
    await resumeCatalog(record, parts);
  }
}

/**
 * Takes up what this instance has in hand and nobody here runs: what an earlier run left, or one
 * that ended elsewhere. Resolves when each has its channel, so that no other settlement gets it;
 * the rest goes on beside. Rejects with StoreError.
 * @param track keeps the service from closing before what it is given has ended
 */
export async function resumeSettlements(
  parts: FacilitatorParts,
  track: (work: Promise<void>) => unknown,
): Promise<void> {
  const { journal, membership, channels, local, logger } = parts;
  for (const record of await journal.unfinished(membership.id)) {
    if (local.isRunning(record.id)) continue;
    local.startRunning(record.id);
    const channel =
      record.state === 'submitting' && record.transaction !== undefined
        ? await channels.withhold(record.transaction.channel)
        : undefined;
    if (channel !== undefined) channel.sequence = undefined;
    track(
      resume(record, parts)
        .catch((error: unknown) => {
          if (!(error instanceof StoreError)) throw error;
          // It stays as it is in the journal, and is taken up again.
          logger.error({ reason: error.code, id: record.id }, 'a settlement could not be resumed');
        })
        .finally(() => {
          if (channel !== undefined) channels.release(channel);
          local.stopRunning(record.id);
        }),
    );
  }
}

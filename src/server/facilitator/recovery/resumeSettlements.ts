import { NETWORK_RESET_WORDS } from '../../../protocol/index.ts';
import { notCataloged } from '../../../protocol/wire/index.ts';
import {
  type Decision,
  resendUntilDecided,
  type SettlementRecord,
} from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import { type PreparedPayment, refusal } from '../payment/index.ts';
import { chooseScheme } from '../schemes/index.ts';
import {
  asArrived,
  askWitnesses,
  concluded,
  detailOf,
  fateBeside,
  isOfOldNetwork,
  ledgerWitness,
  notifyCatalog,
  recordPaidElsewhere,
} from '../settle/index.ts';

/** Passes a settlement to the catalog if an earlier run ended before it could. */
async function resumeCatalog(record: SettlementRecord, parts: FacilitatorParts): Promise<void> {
  const { request, transaction, ledger } = record;
  if (request === undefined || transaction === undefined || ledger === undefined) return;
  const prepared = chooseScheme(parts.schemes, request).prepare(request, 'settle');
  if (!prepared.ok) {
    // The configuration has changed, so the service cannot read a payment that it settled earlier.
    await parts.journal.cataloged(record, { bazaar: notCataloged('cataloging_error') });
    return;
  }
  const payment = asArrived(prepared.value, record.arrived);
  const settlement = { request, payment, hash: transaction.hash, ledger };
  await notifyCatalog(settlement, record, parts);
}

/** Reads a record's payment with the schemes that are served now. */
function paymentOf(
  { request }: SettlementRecord,
  { schemes }: FacilitatorParts,
): PreparedPayment | undefined {
  if (request === undefined) return undefined;
  const prepared = chooseScheme(schemes, request).prepare(request, 'settle');
  return prepared.ok ? prepared.value : undefined;
}

/** Records the ledger's decision and passes a settlement to the catalog. */
async function recordDecision(
  record: SettlementRecord,
  decision: Decision,
  payment: PreparedPayment | undefined,
  parts: FacilitatorParts,
): Promise<void> {
  const { journal, logger } = parts;
  const conclusion = concluded(decision, payment ?? record.terms);
  await journal.decided(record, conclusion, detailOf(conclusion));
  if (record.terms !== undefined) {
    const { client, terms } = record;
    const fee = decision.status === 'dropped' ? 0n : decision.feeCharged;
    parts.spendControls.charge({ client, payTo: terms.payTo }, fee);
  }
  if (decision.status !== 'succeeded' && payment !== undefined) {
    await recordPaidElsewhere(record, await fateBeside(payment, decision, parts), parts);
  }
  const hash = record.transaction?.hash;
  logger.info({ hash, outcome: conclusion.status }, 'finished an interrupted settlement');
  const written = await journal.find(record.id);
  if (written?.catalog === 'due') await resumeCatalog(written, parts);
}

/** Finds the outcome of a transaction that may have been sent, and records it. */
async function resumeSubmission(
  record: SettlementRecord,
  transaction: NonNullable<SettlementRecord['transaction']>,
  parts: FacilitatorParts,
): Promise<void> {
  const { network, clock, running, channels, journal, logger } = parts;
  const signer = channels.signerOf(transaction.channel);
  const tools = { network, clock, running, sponsor: parts.sponsor.signer };
  const payment = paymentOf(record, parts);
  const witness =
    payment &&
    signer &&
    ledgerWitness({ ...transaction, payment, channel: signer }, network, logger);
  const fate = await resendUntilDecided(transaction, signer, tools, witness);
  if (fate === undefined) return;
  if (fate.status !== 'unproven') return recordDecision(record, fate, payment, parts);
  const decision = payment && (await askWitnesses(record, payment, parts));
  if (decision !== undefined) return recordDecision(record, decision, payment, parts);
  logger.warn({ hash: transaction.hash }, 'the history does not reach back to this transaction');
  await journal.unproven(record);
}

/**
 * Looks again for the outcomes of unproven settlements, because Horizon may have been unavailable.
 * Rejects with StoreError.
 */
export async function reviewUnproven(parts: FacilitatorParts): Promise<void> {
  for (const record of await parts.journal.findUnproven()) {
    const payment = paymentOf(record, parts);
    const decision = payment && (await askWitnesses(record, payment, parts));
    if (decision !== undefined) await recordDecision(record, decision, payment, parts);
  }
}

/** Ends a settlement whose network no longer exists: nothing shows any more whether it paid there. */
async function endWithNetwork(record: SettlementRecord, parts: FacilitatorParts): Promise<void> {
  const hash = record.transaction?.hash;
  parts.logger.warn({ hash }, `a settlement ended undecided. ${NETWORK_RESET_WORDS}`);
  await parts.journal.unproven(record);
}

async function resume(record: SettlementRecord, parts: FacilitatorParts): Promise<void> {
  const { transaction } = record;
  if (record.state === 'claimed' || (record.state === 'submitting' && transaction === undefined)) {
    // Nothing was signed, so the payer may present it again. The instance that handled it may already
    // have refused an identical request in flight.
    const told =
      parts.local.refusalSince(record, 0) ?? refusal('settlement_pending', record.terms?.payer);
    await parts.journal.release(record, JSON.stringify(told));
  } else if (record.state === 'submitting' && transaction !== undefined) {
    if (isOfOldNetwork(record, parts)) await endWithNetwork(record, parts);
    else await resumeSubmission(record, transaction, parts);
  } else if (isOfOldNetwork(record, parts)) {
    // The catalog is about the present network.
    await parts.journal.cataloged(record, { bazaar: notCataloged('cataloging_error') });
  } else {
    await resumeCatalog(record, parts);
  }
}

/** Whether this instance still has work to do for the settlement. */
function isUnfinished({ state, catalog, instance }: SettlementRecord, self: string): boolean {
  return instance === self && (state === 'claimed' || state === 'submitting' || catalog === 'due');
}

/**
 * Resumes settlements that belong to this instance but are not running: those of an earlier run, or of an
 * instance that ended. Resolves when each has its channel, so that no other settlement gets it; the
 * rest continues in the background. Rejects with StoreError.
 * @param track keeps the service from closing before the given work has ended
 */
export async function resumeSettlements(
  parts: FacilitatorParts,
  track: (work: Promise<void>) => unknown,
): Promise<void> {
  const { journal, membership, channels, local, logger } = parts;
  for (const { id } of await journal.unfinished(membership.id)) {
    if (local.isRunning(id)) continue;
    local.startRunning(id);
    // A settlement that ran here when the list was read may have ended since: one refused as never sent must not be sent.
    const record = await journal.find(id).catch((error: unknown) => {
      local.stopRunning(id);
      throw error;
    });
    if (record === undefined || !isUnfinished(record, membership.id)) {
      local.stopRunning(id);
      continue;
    }
    const channel =
      record.state === 'submitting' && record.transaction !== undefined
        ? await channels.withhold(record.transaction.channel)
        : undefined;
    if (channel !== undefined) channel.sequence = undefined;
    track(
      resume(record, parts)
        .catch((error: unknown) => {
          if (!(error instanceof StoreError)) throw error;
          // The settlement stays in the journal and is resumed later.
          logger.error({ reason: error.code, id: record.id }, 'could not resume a settlement');
        })
        .finally(() => {
          if (channel !== undefined) channels.release(channel);
          local.stopRunning(record.id);
        }),
    );
  }
}

import { isSameTransfer } from '../../../protocol/fate/index.ts';
import type { ContractAddress } from '../../../protocol/index.ts';
import { type Clock, within } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { SettlementJournal, SettlementRecord } from '../../settlement/index.ts';
import { StoreError } from '../../store/index.ts';
import type { KnownFate, PaymentScheme, Refusal } from '../payment/index.ts';
import type { FateSource } from './fateSource.ts';
import { isUnderWay, knownFrom, knownInRecord, type Tried, triedIn } from './knownFate.ts';
import { type PresentedAuthorization, readPresented } from './presented.ts';

/** The parts of a facilitator that are asked. */
export interface TruthParts {
  readonly schemes: readonly PaymentScheme[];
  readonly journal: Pick<SettlementJournal, 'findByKey' | 'paidElsewhere'>;
  readonly fates: FateSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Time for the journal to answer. Without its answer, the ledger is read. */
const JOURNAL_WITHIN_MS = 500;

/** Returns the served contract of scheme `upto`. */
function uptoContractOf(schemes: readonly PaymentScheme[]): ContractAddress | undefined {
  const contract = schemes.find(({ name }) => name === 'upto')?.extra['uptoContract'];
  return typeof contract === 'string' ? (contract as ContractAddress) : undefined;
}

/** Reads the authorization in a payload or in a transaction of this service. */
export function presentedIn(
  envelope: unknown,
  { schemes }: Pick<TruthParts, 'schemes'>,
): PresentedAuthorization | undefined {
  return readPresented(envelope, uptoContractOf(schemes));
}

async function findRecord(
  { key }: PresentedAuthorization,
  { journal, clock, logger }: TruthParts,
): Promise<SettlementRecord | 'none' | 'no answer'> {
  try {
    const finding = journal.findByKey(key).then((record) => record ?? 'none');
    return (await within(finding, JOURNAL_WITHIN_MS, clock)) ?? 'no answer';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.warn({ reason: error.code }, 'the store did not answer; reading the ledger');
    return 'no answer';
  }
}

/** Whether a record is of what was presented: a payer may sign two calls with one nonce. */
function isOf({ terms }: SettlementRecord, { pays }: PresentedAuthorization): boolean {
  if (terms === undefined || pays.by === 'upto') return true;
  const { payer: from, payTo: to, asset, amount } = terms;
  return isSameTransfer(pays.transfer, { from, to, asset, amount });
}

/** Remembers which transaction paid, so that it stays known. A store that does not answer is asked to again by the next reader. */
async function remember(
  record: SettlementRecord,
  { hash, ledger }: KnownFate,
  { journal, logger }: TruthParts,
): Promise<void> {
  try {
    await journal.paidElsewhere(record, { hash, ledger });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.warn({ reason: error.code, hash }, 'could not record what paid');
  }
}

/** Returns what the journal has of a payment that was made, unless the ledger shows that it is no longer so. */
export async function stillMade(
  recorded: KnownFate,
  presented: PresentedAuthorization,
  { fates, logger }: Pick<TruthParts, 'fates' | 'logger'>,
): Promise<KnownFate> {
  const { moneyMoved, hash, ledger } = recorded;
  if (moneyMoved !== 'yes' || !(await fates.isUnused(presented, ledger ?? 0))) return recorded;
  logger.warn({ hash, ledger }, 'the ledger has no trace of a payment that was made');
  const inWords = `transaction ${hash} made the payment in ledger ${ledger}, and the ledger no longer has a trace of it`;
  return { moneyMoved: 'unknown', hash, ledger, inWords };
}

/**
 * Returns what is known of an authorization's money: from the journal where that proves a payment, otherwise from the ledger.
 *
 * @param record its settlement, if the caller has read it
 * @param tried a transaction of this service that did not pay
 */
export async function learnFate(
  presented: PresentedAuthorization,
  record: SettlementRecord | undefined,
  tried: Tried | undefined,
  parts: TruthParts,
): Promise<KnownFate> {
  const own = record !== undefined && isOf(record, presented) ? record : undefined;
  const recorded = own && knownInRecord(own);
  if (recorded !== undefined) return stillMade(recorded, presented, parts);
  const fate = await parts.fates.read(presented);
  // Sources contradict each other about its transaction: only a payment is believed.
  const isDoubtful = own?.state === 'unproven' && fate.state !== 'paid';
  const known = knownFrom(
    isDoubtful ? { state: 'unknown', because: 'unreadable' } : fate,
    tried ?? (own && triedIn(own)),
  );
  if (known.moneyMoved === 'yes' && own?.state === 'failed') await remember(own, known, parts);
  return known;
}

/** A refusal of a payment that the seller requires: once that has paid, the reason is that it has. */
function asReplay(rejection: Refusal, known: KnownFate): Refusal {
  const { payer, code } = rejection;
  // The second has the amount that the contract settled, which nothing else shows.
  if (code === 'payment_identifier_conflict' || code === 'upto_nonce_used') {
    return { ...rejection, known };
  }
  return { code: 'authorization_replayed', payer, known };
}

/**
 * Completes a refusal with what is known of the money of the authorization in the payload. Where none can be read, nothing in it
 * could have paid, and the code's own statement holds.
 *
 * @param isRequired whether the payload is what the seller requires
 */
export async function inTruth(
  rejection: Refusal,
  envelope: unknown,
  isRequired: () => boolean,
  parts: TruthParts,
): Promise<Refusal> {
  if (rejection.code === 'settlement_pending') return rejection;
  const presented = presentedIn(envelope, parts);
  if (presented === undefined) return rejection;
  // Found in the journal already, or on its way.
  if (rejection.known !== undefined) {
    return { ...rejection, known: await stillMade(rejection.known, presented, parts) };
  }
  const found = await findRecord(presented, parts);
  const record = typeof found === 'string' ? undefined : found;
  if (record !== undefined && isUnderWay(record) && isOf(record, presented)) {
    const inWords = 'whether the payment was made is not known: an earlier request is settling it';
    const known = { moneyMoved: 'unknown', hash: record.transaction?.hash, inWords } as const;
    return { ...rejection, known };
  }
  const known = await learnFate(presented, record, undefined, parts);
  // An outcome of this service may be owed to the identical request, which is not a replay then.
  const mayBeOwed = found === 'no answer' || record?.state === 'settled';
  const isReplay = known.moneyMoved === 'yes' && !mayBeOwed && isRequired();
  return isReplay ? asReplay(rejection, known) : { ...rejection, known };
}

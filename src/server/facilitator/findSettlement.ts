import type {
  AtomicAmount,
  ContractAddress,
  MoneyMoved,
  SettlementHash,
  StellarAddress,
} from '../../protocol/index.ts';
import { authorizationKey } from '../../protocol/stellar/index.ts';
import type { SettlementRecord } from '../settlement/index.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import type { KnownFate } from './payment/index.ts';
import {
  isUnderWay,
  knownFrom,
  knownInRecord,
  learnFate,
  presentedIn,
  triedIn,
} from './truth/index.ts';

/** Identifies a settlement by its hash, or by the nonce that its payer signed. */
export type SettlementName =
  | { readonly hash: SettlementHash }
  | { readonly payer: StellarAddress; readonly nonce: bigint };

/** What is disclosed to anyone who can identify the settlement. */
export interface SettlementStatus {
  readonly state: 'settling' | 'settled' | 'failed' | 'never_submitted' | 'unproven';
  readonly moneyMoved: MoneyMoved;
  readonly hash: SettlementHash | undefined;
  readonly ledger: number | undefined;
  readonly payer: StellarAddress | undefined;
  readonly payTo: StellarAddress | undefined;
  readonly asset: ContractAddress | undefined;
  /** What arrived, if it is known and differs from what was agreed. */
  readonly amount: AtomicAmount | undefined;
  /** Stroops that the sponsor paid. */
  readonly feeCharged: bigint;
  /** Milliseconds since the epoch. */
  readonly presentedAt: number;
  readonly updatedAt: number;
}

const STATES = {
  claimed: 'settling',
  submitting: 'settling',
  settled: 'settled',
  failed: 'failed',
  never_sent: 'never_submitted',
  unproven: 'unproven',
} as const satisfies Record<SettlementRecord['state'], SettlementStatus['state']>;

/** Returns what is known of a record's authorization, which may have paid although the record's transaction did not. */
async function fateOf(record: SettlementRecord, parts: FacilitatorParts): Promise<KnownFate> {
  const { transaction, request } = record;
  const recorded = knownInRecord(record);
  if (recorded !== undefined) return recorded;
  const isLost = record.network !== parts.networkId && record.state === 'unproven';
  if (isUnderWay(record) || isLost) return { moneyMoved: 'unknown', hash: transaction?.hash };
  const envelope = transaction?.envelope ?? request?.paymentPayload.payload.transaction;
  const presented = presentedIn(envelope, parts);
  if (presented === undefined) return { moneyMoved: 'unknown', hash: transaction?.hash };
  return learnFate(presented, record, triedIn(record), parts);
}

async function statusOf(
  record: SettlementRecord,
  parts: FacilitatorParts,
): Promise<SettlementStatus> {
  const { terms } = record;
  const { moneyMoved, hash, ledger } = await fateOf(record, parts);
  return {
    state: STATES[record.state],
    moneyMoved,
    hash,
    ledger,
    payer: terms?.payer,
    payTo: terms?.payTo,
    asset: terms?.asset,
    amount: (record.arrived as AtomicAmount | undefined) ?? terms?.amount,
    feeCharged: record.feeCharged,
    presentedAt: record.claimedAt,
    updatedAt: record.updatedAt,
  };
}

/** Looks up a settlement in the journal, and what became of its authorization. Rejects with StoreError. */
export async function findSettlement(
  by: SettlementName,
  parts: FacilitatorParts,
): Promise<SettlementStatus | undefined> {
  const { journal } = parts;
  const record =
    'hash' in by
      ? await journal.findByHash(by.hash)
      : await journal.findByKey(authorizationKey(by.payer, by.nonce));
  return record && statusOf(record, parts);
}

/** Returns what the ledger has of a payment that is not in the journal. */
export async function askLedger(
  by: SettlementName,
  { fates }: Pick<FacilitatorParts, 'fates'>,
): Promise<KnownFate> {
  return knownFrom(
    await ('hash' in by ? fates.readTransaction(by.hash) : fates.readNonce(by.payer, by.nonce)),
  );
}

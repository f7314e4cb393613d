import type {
  AtomicAmount,
  ContractAddress,
  MoneyMoved,
  SettlementHash,
  StellarAddress,
} from '../../protocol/index.ts';
import { authorizationKey } from '../../protocol/stellar/index.ts';
import type { SettlementJournal, SettlementRecord } from '../settlement/index.ts';
import { fateOf } from './settle/index.ts';

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

/** Looks up a settlement in the journal. Rejects with StoreError. */
export async function findSettlement(
  by: SettlementName,
  journal: SettlementJournal,
): Promise<SettlementStatus | undefined> {
  const record =
    'hash' in by
      ? await journal.findByHash(by.hash)
      : await journal.findByKey(authorizationKey(by.payer, by.nonce));
  if (record === undefined) return undefined;
  const { terms } = record;
  const { moneyMoved, hash, ledger } = fateOf(record);
  return {
    state: STATES[record.state],
    moneyMoved,
    hash,
    ledger,
    payer: terms?.payer,
    payTo: terms?.payTo,
    asset: terms?.asset,
    amount: terms?.amount,
    feeCharged: record.feeCharged,
    presentedAt: record.claimedAt,
    updatedAt: record.updatedAt,
  };
}

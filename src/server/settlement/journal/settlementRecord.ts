import type {
  AtomicAmount,
  ContractAddress,
  SettlementHash,
  StellarAddress,
} from '../../../protocol/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { ExtensionResponses, FacilitatorRequest } from '../../../protocol/wire/index.ts';

/** The progress of a settlement. Each state is on disk before the step that it permits. */
export type SettlementState =
  /** The authorization is claimed; nothing was signed. */
  | 'claimed'
  /** Signed; from here on, the network may have it. */
  | 'submitting'
  /** The ledger has settled it. */
  | 'settled'
  /** The ledger has refused it, or certainly will never include it. */
  | 'failed'
  /** Certainly never accepted by the network: the authorization may be presented again. */
  | 'never_sent'
  /** No future ledger can include it, and the remaining history does not show whether one did. */
  | 'unproven';

/**
 * The states from which a settlement does not move on, as a condition in SQL. The index of their age has the same
 * condition, and is used only by queries that repeat it to the letter.
 */
export const FINISHED = "state IN ('settled', 'failed', 'never_sent')";

/** Whether the outcome was delivered: a caller waits for it, it was not delivered, or it was. */
export type AnswerState = 'held' | 'owed' | 'given';

/** A transaction as recorded in the journal before it is sent to the network. */
export interface JournaledTransaction {
  readonly hash: SettlementHash;
  readonly envelope: string;
  readonly channel: string;
  readonly sequence: bigint;
  /** Last ledger that may include it. */
  readonly lastLedger: number;
  /**
   * A ledger that was closed before it was sent: a history that starts later proves nothing.
   * 0 if it was not recorded.
   */
  readonly sentAfter: number;
}

/** A payment's payer, recipient, asset and amount, in atomic units. */
export interface PaymentTerms {
  readonly payer: StellarAddress;
  readonly payTo: StellarAddress;
  readonly asset: ContractAddress;
  readonly amount: AtomicAmount;
}

/** A transaction that paid an authorization, other than the one of its settlement here. */
export interface PaidElsewhere {
  /** `undefined` if only the payment is proved. */
  readonly hash: SettlementHash | undefined;
  readonly ledger: number | undefined;
}

/** One settlement in the journal. */
export interface SettlementRecord {
  readonly id: string;
  /** `undefined` once the authorization may be presented again. */
  readonly key: AuthorizationKey | undefined;
  /** Distinguishes an identical request from another one with the same authorization. */
  readonly digest: string;
  /** The payment's terms; `undefined` in a record of an earlier version. */
  readonly terms: PaymentTerms | undefined;
  /** Who called the service for it, as spending is counted; `undefined` for a caller in this process. */
  readonly client: string | undefined;
  /** The buyer's identifier of the sale (extension `payment-identifier`). */
  readonly paymentId: string | undefined;
  /** The instance that handles it. */
  readonly instance: string;
  readonly state: SettlementState;
  readonly answer: AnswerState;
  readonly heldBy: string | undefined;
  readonly catalog: 'none' | 'due' | 'done';
  /** Kept until the answer is delivered and the catalog has the settlement. */
  readonly request: FacilitatorRequest | undefined;
  readonly transaction: JournaledTransaction | undefined;
  readonly ledger: number | undefined;
  /** The other transaction that paid, if its own did not. */
  readonly paid: PaidElsewhere | undefined;
  /**
   * What arrived at the recipient, in atomic units, if its transaction succeeded and shows another amount than that of the
   * payment. In a failed settlement it is less.
   */
  readonly arrived: bigint | undefined;
  readonly feeCharged: bigint;
  readonly detail: string | undefined;
  readonly extensions: ExtensionResponses | undefined;
  /** The network that it was presented on: testnet begins again a few times a year. */
  readonly network: number;
  /** Milliseconds since the epoch. */
  readonly claimedAt: number;
  readonly updatedAt: number;
}

/** Returns the record of a settlement whose claim has just been written. */
export function claimedRecord(
  claim: Pick<
    SettlementRecord,
    | 'id'
    | 'key'
    | 'digest'
    | 'terms'
    | 'client'
    | 'paymentId'
    | 'instance'
    | 'request'
    | 'network'
    | 'claimedAt'
  >,
): SettlementRecord {
  return {
    ...claim,
    state: 'claimed',
    answer: 'held',
    heldBy: claim.instance,
    catalog: 'none',
    transaction: undefined,
    ledger: undefined,
    paid: undefined,
    arrived: undefined,
    feeCharged: 0n,
    detail: undefined,
    extensions: undefined,
    updatedAt: claim.claimedAt,
  };
}

/** A row of the store. */
export interface SettlementRow {
  readonly id: string;
  readonly authorization_key: string | null;
  readonly digest: string;
  readonly instance: string;
  readonly state: string;
  readonly answer: string;
  readonly held_by: string | null;
  readonly catalog: string;
  readonly request: string | null;
  readonly channel: string | null;
  readonly sequence: number | bigint | null;
  readonly hash: string | null;
  readonly envelope: string | null;
  readonly last_ledger: number | null;
  readonly sent_after: number | null;
  readonly payment_id: string | null;
  readonly payer: string | null;
  readonly pay_to: string | null;
  readonly asset: string | null;
  readonly amount: string | null;
  readonly claimed_at: number;
  readonly updated_at: number;
  readonly ledger: number | null;
  readonly fee_charged: number | bigint | null;
  readonly detail: string | null;
  readonly extensions: string | null;
  readonly paid_hash: string | null;
  readonly paid_ledger: number | bigint | null;
  readonly arrived: string | null;
  readonly client: string | null;
  readonly network: number;
}

function transactionOf(row: SettlementRow): JournaledTransaction | undefined {
  const { hash, envelope, channel, sequence, last_ledger: lastLedger, sent_after: sentAfter } = row;
  if (hash === null || envelope === null || channel === null) return undefined;
  if (sequence === null || lastLedger === null) return undefined;
  return {
    hash: hash as SettlementHash,
    envelope,
    channel,
    sequence: BigInt(sequence),
    lastLedger,
    sentAfter: sentAfter ?? 0,
  };
}

function termsOf({ payer, pay_to: payTo, asset, amount }: SettlementRow): PaymentTerms | undefined {
  if (payer === null || payTo === null || asset === null || amount === null) return undefined;
  return {
    payer: payer as StellarAddress,
    payTo: payTo as StellarAddress,
    asset: asset as ContractAddress,
    amount: BigInt(amount) as AtomicAmount,
  };
}

function paidIn({
  paid_hash: hash,
  paid_ledger: ledger,
}: SettlementRow): PaidElsewhere | undefined {
  if (hash === null && ledger === null) return undefined;
  return {
    hash: (hash ?? undefined) as SettlementHash | undefined,
    // A payment that the contract reports without its ledger.
    ledger: Number(ledger ?? 0) || undefined,
  };
}

/** Reads a row that the journal itself wrote. */
export function readSettlement(row: SettlementRow): SettlementRecord {
  return {
    id: row.id,
    key: (row.authorization_key ?? undefined) as AuthorizationKey | undefined,
    digest: row.digest,
    terms: termsOf(row),
    client: row.client ?? undefined,
    paymentId: row.payment_id ?? undefined,
    instance: row.instance,
    state: row.state as SettlementState,
    answer: row.answer as AnswerState,
    heldBy: row.held_by ?? undefined,
    catalog: row.catalog as SettlementRecord['catalog'],
    request: row.request === null ? undefined : (JSON.parse(row.request) as FacilitatorRequest),
    transaction: transactionOf(row),
    ledger: row.ledger ?? undefined,
    paid: paidIn(row),
    arrived: row.arrived === null ? undefined : BigInt(row.arrived),
    feeCharged: BigInt(row.fee_charged ?? 0),
    detail: row.detail ?? undefined,
    extensions:
      row.extensions === null ? undefined : (JSON.parse(row.extensions) as ExtensionResponses),
    network: Number(row.network),
    claimedAt: Number(row.claimed_at),
    updatedAt: Number(row.updated_at),
  };
}

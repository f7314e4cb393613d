import type { SettlementHash } from '../../../protocol/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { ExtensionResponses, FacilitatorRequest } from '../../../protocol/wire/index.ts';

/** How far a settlement has come. Each state is on disk before the step that it permits. */
export type SettlementState =
  /** The authorization is taken; nothing was signed. */
  | 'claimed'
  /** Signed, and from here on perhaps with the network. */
  | 'submitting'
  /** The ledger has settled it. */
  | 'settled'
  /** The ledger has refused it, or certainly never will include it. */
  | 'failed'
  /** Certainly never taken by the network: the authorization may be presented again. */
  | 'never_sent';

/** Whether the caller knows: one waits, none was told, or one was. */
export type AnswerState = 'held' | 'owed' | 'given';

/** A transaction as it stands in the journal before it leaves for the network. */
export interface JournaledTransaction {
  readonly hash: SettlementHash;
  readonly envelope: string;
  readonly channel: string;
  readonly sequence: bigint;
  /** Last ledger that may include it. */
  readonly lastLedger: number;
}

/** One settlement, as the journal has it. */
export interface SettlementRecord {
  readonly id: string;
  /** `undefined` once the authorization may be presented again. */
  readonly key: AuthorizationKey | undefined;
  /** What tells an identical request from another one with the same authorization. */
  readonly digest: string;
  /** The instance that has it in hand. */
  readonly instance: string;
  readonly state: SettlementState;
  readonly answer: AnswerState;
  readonly heldBy: string | undefined;
  readonly catalog: 'none' | 'due' | 'done';
  /** Kept until the answer is given and the catalog knows. */
  readonly request: FacilitatorRequest | undefined;
  readonly transaction: JournaledTransaction | undefined;
  readonly ledger: number | undefined;
  readonly feeCharged: bigint;
  readonly detail: string | undefined;
  readonly extensions: ExtensionResponses | undefined;
}

/** The record of a settlement as its claim has just been written. */
export function claimedRecord(
  claim: Pick<SettlementRecord, 'id' | 'key' | 'digest' | 'instance' | 'request'>,
): SettlementRecord {
  return {
    ...claim,
    state: 'claimed',
    answer: 'held',
    heldBy: claim.instance,
    catalog: 'none',
    transaction: undefined,
    ledger: undefined,
    feeCharged: 0n,
    detail: undefined,
    extensions: undefined,
  };
}

/** A row as the store gives it. */
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
  readonly ledger: number | null;
  readonly fee_charged: number | bigint | null;
  readonly detail: string | null;
  readonly extensions: string | null;
}

function transactionOf(row: SettlementRow): JournaledTransaction | undefined {
  const { hash, envelope, channel, sequence, last_ledger: lastLedger } = row;
  if (hash === null || envelope === null || channel === null) return undefined;
  if (sequence === null || lastLedger === null) return undefined;
  return {
    hash: hash as SettlementHash,
    envelope,
    channel,
    sequence: BigInt(sequence),
    lastLedger,
  };
}

/** Reads a row that the journal itself wrote. */
export function readSettlement(row: SettlementRow): SettlementRecord {
  return {
    id: row.id,
    key: (row.authorization_key ?? undefined) as AuthorizationKey | undefined,
    digest: row.digest,
    instance: row.instance,
    state: row.state as SettlementState,
    answer: row.answer as AnswerState,
    heldBy: row.held_by ?? undefined,
    catalog: row.catalog as SettlementRecord['catalog'],
    request: row.request === null ? undefined : (JSON.parse(row.request) as FacilitatorRequest),
    transaction: transactionOf(row),
    ledger: row.ledger ?? undefined,
    feeCharged: BigInt(row.fee_charged ?? 0),
    detail: row.detail ?? undefined,
    extensions:
      row.extensions === null ? undefined : (JSON.parse(row.extensions) as ExtensionResponses),
  };
}

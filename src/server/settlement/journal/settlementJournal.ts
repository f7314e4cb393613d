import { createHash } from 'node:crypto';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { ExtensionResponses, FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { Channel } from '../channelPool.ts';
import type { Decision } from '../lookUntilDecided.ts';
import type { JournaledTransaction, SettlementRecord } from './settlementRecord.ts';

/** An authorization that is presented for settlement. */
export interface Presented {
  /** Names the settlement, if it becomes one. */
  readonly id: string;
  readonly key: AuthorizationKey;
  readonly request: FacilitatorRequest;
  readonly expirationLedger: number;
  readonly worstFee: bigint;
}

/**
 * The settlement journal (architecture: invariant 5): what was begun, what may be with the network,
 * what became of it, and who was told. It is also the replay guard: each authorization has one row,
 * shared by all instances. Methods reject with StoreError.
 */
export interface SettlementJournal {
  /** Whether the authorization is being settled or was submitted before. */
  isKnown(key: AuthorizationKey): Promise<boolean>;
  /** Takes an authorization for this instance, or tells of the settlement that has it. */
  claim(
    instance: string,
    presented: Presented,
  ): Promise<{ readonly claimed: boolean; readonly record: SettlementRecord }>;
  find(id: string): Promise<SettlementRecord | undefined>;
  /** Makes the authorization acceptable again, because nothing was signed. */
  release(record: SettlementRecord): Promise<void>;
  /**
   * Writes the transaction down that is about to leave.
   * @returns false when the settlement or the channel is no longer this instance's: then nothing
   * may be sent
   */
  submitting(
    record: SettlementRecord,
    transaction: JournaledTransaction,
    channel: Channel,
  ): Promise<boolean>;
  /**
   * The network certainly did not take it: the authorization may be presented again.
   * @returns false when another instance has it in hand by now, which may have sent it again
   */
  neverSent(record: SettlementRecord, detail: string): Promise<boolean>;
  /** What the ledger decided. The first who writes it down is right, and so is everybody else. */
  decided(record: SettlementRecord, decision: Decision, detail: string | undefined): Promise<void>;
  /** The catalog knows of the settlement. */
  cataloged(record: SettlementRecord, extensions: ExtensionResponses): Promise<void>;
  /** Nobody could be told so far: an identical request will be. */
  owe(id: string): Promise<void>;
  /** Takes the right to be told; false when another caller has it or had it. */
  takeAnswer(id: string, instance: string): Promise<boolean>;
  /**
   * Records that the caller has its answer. Written soon, several at once.
   * @returns whether the journal has it now; until then the answer counts as held
   */
  delivered(id: string): Promise<boolean>;
  /** Resolves when all deliveries so far are written. */
  flushed(): Promise<void>;
  /** What an instance has in hand and has not finished. */
  unfinished(instance: string): Promise<SettlementRecord[]>;
  /** Worst fees of settlements under way elsewhere, in stroops. */
  reservedElsewhere(instance: string): Promise<bigint>;
  /** Takes out what nobody can ask for any more. @param latestLedger newest ledger seen */
  forgetOld(latestLedger: number): Promise<void>;
}

/** What makes two requests one: the payload and what is required of it. */
export function requestDigest({ paymentPayload, paymentRequirements }: FacilitatorRequest): string {
  const identity = JSON.stringify([paymentPayload.payload, paymentRequirements]);
  return createHash('sha256').update(identity).digest('base64');
}

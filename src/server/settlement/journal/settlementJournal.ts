import { createHash } from 'node:crypto';
import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { ExtensionResponses, FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { Channel } from '../channelPool.ts';
import type { Decision } from '../lookUntilDecided.ts';
import type { JournaledTransaction, PaymentTerms, SettlementRecord } from './settlementRecord.ts';

/** An authorization that is presented for settlement. */
export interface Presented {
  /** Names the settlement, if it becomes one. */
  readonly id: string;
  readonly key: AuthorizationKey;
  readonly request: FacilitatorRequest;
  readonly expirationLedger: number;
  readonly worstFee: bigint;
  readonly terms?: PaymentTerms;
  /** What the buyer calls the sale; each payer has an identifier once. */
  readonly paymentId?: string | undefined;
}

/** What became of a claim. */
export interface Claim {
  /** The authorization is this caller's now. Otherwise `record` is what stands in its way. */
  readonly claimed: boolean;
  readonly record: SettlementRecord;
}

/**
 * The settlement journal (architecture: invariant 5): what was begun, what may be with the network,
 * what became of it, and who was told. It is also the replay guard: each authorization has one row,
 * shared by all instances. Methods reject with StoreError.
 */
export interface SettlementJournal {
  /**
   * Takes an authorization for this instance, or returns the settlement that has it, or the one that
   * its payer gave the same identifier.
   */
  claim(instance: string, presented: Presented): Promise<Claim>;
  find(id: string): Promise<SettlementRecord | undefined>;
  /** The settlement that has the authorization, being settled or submitted before. */
  findByKey(key: AuthorizationKey): Promise<SettlementRecord | undefined>;
  /** Returns the settlement with the payer's payment identifier, unless it moved no money. */
  findByPaymentId(payer: StellarAddress, paymentId: string): Promise<SettlementRecord | undefined>;
  findByHash(hash: SettlementHash): Promise<SettlementRecord | undefined>;
  /**
   * Makes the authorization acceptable again, because nothing was signed.
   * @param told what was refused, for identical requests that other instances have under way
   * @returns false when the claim is no longer this instance's
   */
  release(record: SettlementRecord, told?: string): Promise<boolean>;
  /**
   * What another instance refused this request with while it was under way. Asked once it is claimed.
   * @param ageMs how long ago the request came here
   */
  refusalOf(record: SettlementRecord, ageMs: () => number): Promise<string | undefined>;
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
   * @param told as for `release`
   * @returns false when another instance has it in hand by now, which may have sent it again
   */
  neverSent(record: SettlementRecord, detail: string, told?: string): Promise<boolean>;
  /** The history that is left does not say what became of it. Asked again now and then. */
  unproven(record: SettlementRecord): Promise<void>;
  /** What is unproven, of all instances; bounded, the oldest first. */
  findUnproven(): Promise<SettlementRecord[]>;
  /**
   * What the ledger decided. The first who writes it down is right, and so is everybody else.
   * @param answered what a settled payment is answered that the catalog need not hear of
   */
  decided(
    record: SettlementRecord,
    decision: Decision,
    detail: string | undefined,
    answered?: ExtensionResponses,
  ): Promise<void>;
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

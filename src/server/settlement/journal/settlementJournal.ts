import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { ExtensionResponses, FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { Channel } from '../channelPool.ts';
import type { Conclusion } from '../transactionFate.ts';
import type {
  JournaledTransaction,
  PaidElsewhere,
  PaymentTerms,
  SettlementRecord,
} from './settlementRecord.ts';

/** An authorization presented for settlement. */
export interface Presented {
  /** Id of the settlement, if it becomes one. */
  readonly id: string;
  readonly key: AuthorizationKey;
  readonly request: FacilitatorRequest;
  readonly expirationLedger: number;
  readonly worstFee: bigint;
  readonly terms?: PaymentTerms;
  /** Who called the service; `undefined` for a caller in this process. */
  readonly client?: string | undefined;
  /** The buyer's identifier of the sale; each payer can use an identifier once. */
  readonly paymentId?: string | undefined;
}

/** The result of a claim. */
export interface Claim {
  /** Whether this caller has the authorization now. Otherwise `record` is the settlement that has it. */
  readonly claimed: boolean;
  readonly record: SettlementRecord;
}

/**
 * The settlement journal (architecture: invariant 5): which settlements were started, which may have
 * reached the network, their outcomes, and whether these were delivered. It is also the replay guard: each
 * authorization has one row, shared by all instances. Methods reject with StoreError.
 */
export interface SettlementJournal {
  /**
   * Claims an authorization for this instance, or returns the settlement that has it, or the one to
   * which its payer gave the same identifier.
   */
  claim(instance: string, presented: Presented): Promise<Claim>;
  find(id: string): Promise<SettlementRecord | undefined>;
  /** Returns the settlement that has the authorization, in progress or submitted earlier. */
  findByKey(key: AuthorizationKey): Promise<SettlementRecord | undefined>;
  /** Returns the settlement with the payer's payment identifier, unless it moved no money. */
  findByPaymentId(payer: StellarAddress, paymentId: string): Promise<SettlementRecord | undefined>;
  findByHash(hash: SettlementHash): Promise<SettlementRecord | undefined>;
  /**
   * Makes the authorization acceptable again, because nothing was signed.
   * @param refusal for identical requests in flight at other instances
   * @returns false if this instance no longer has the claim
   */
  release(record: SettlementRecord, refusal?: string): Promise<boolean>;
  /**
   * Returns the refusal that another instance gave this request while it was in flight. Call it after the claim.
   * @param ageMs how long ago the request arrived here
   */
  refusalOf(record: SettlementRecord, ageMs: () => number): Promise<string | undefined>;
  /**
   * Records the transaction that is about to be sent.
   * @returns false if this instance no longer has the settlement or the channel: then nothing may
   * be sent
   */
  submitting(
    record: SettlementRecord,
    transaction: JournaledTransaction,
    channel: Channel,
  ): Promise<boolean>;
  /**
   * Records that the network certainly did not accept it: the authorization may be presented again.
   * @param refusal as for `release`
   * @returns false if another instance handles it by now, which may have sent it again
   */
  neverSent(record: SettlementRecord, detail: string, refusal?: string): Promise<boolean>;
  /** Records that the remaining history does not show its outcome. It is looked up again periodically. */
  unproven(record: SettlementRecord): Promise<void>;
  /** Returns the unproven settlements of all instances; a limited number, oldest first. */
  findUnproven(): Promise<SettlementRecord[]>;
  /**
   * Records the ledger's decision. Only the first write counts, since every later one is the same.
   * @param answered the response for a settled payment that the catalog need not be notified of
   * @returns whether this was the first
   */
  decided(
    record: SettlementRecord,
    conclusion: Conclusion,
    detail: string | undefined,
    answered?: ExtensionResponses,
  ): Promise<boolean>;
  /**
   * Records which other transaction paid the authorization of a settlement whose own transaction did not. It stays known when
   * the ledger's history no longer shows it, and the failure does not count against the payer.
   */
  paidElsewhere(record: SettlementRecord, paid: PaidElsewhere): Promise<void>;
  /**
   * Makes the authorization acceptable again after its transaction was dropped and this was answered. The record stays, for those
   * who ask by the transaction's hash. Does nothing to a settlement that ended otherwise.
   */
  reopen(record: SettlementRecord): Promise<void>;
  /** Records that the catalog has the settlement. */
  cataloged(record: SettlementRecord, extensions: ExtensionResponses): Promise<void>;
  /**
   * Records that the outcome was not delivered, so that an identical request gets it. Changes nothing if another instance
   * holds it by now.
   */
  owe(id: string, holder: string): Promise<void>;
  /** Claims the right to receive the outcome; false if another caller has it or had it. */
  takeAnswer(id: string, instance: string): Promise<boolean>;
  /**
   * Records that the caller has its answer. Written soon, several at once.
   * @returns whether the journal has it now; until then the answer counts as held
   */
  delivered(id: string): Promise<boolean>;
  /** Resolves when all deliveries so far are written. */
  flushed(): Promise<void>;
  /** Returns the settlements that an instance handles and has not finished. */
  unfinished(instance: string): Promise<SettlementRecord[]>;
  /** Returns the last sequence number of each channel that the journal has a transaction of. */
  lastSequences(): Promise<ReadonlyMap<string, bigint>>;
  /** Returns the highest possible fees of settlements in flight at other instances, in stroops. */
  reservedElsewhere(instance: string): Promise<bigint>;
  /** Deletes settlements that nobody can ask for any more. @param latestLedger newest ledger seen */
  forgetOld(latestLedger: number): Promise<void>;
}

import type { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import type { LedgerTxn } from '../../state/index.ts';
import type { OperationEvents } from '../events/index.ts';

/** The threshold that an operation requires of its source account. */
export type ThresholdLevel = 'low' | 'medium' | 'high';

/** The name of an operation's body in the XDR union, such as `payment` or `changeTrust`. */
export type OperationType = xdr.OperationBody['type'];

/** The body of one type of operation. */
export type OperationBodyOf<T extends OperationType> = Extract<xdr.OperationBody, { type: T }>;

/** The parts of its transaction that an operation can see. */
export interface TransactionFacts {
  readonly networkId: Uint8Array;
  /** Source of the (inner) transaction, unmuxed. */
  readonly sourceAccount: xdr.PublicKey;
  readonly seqNum: bigint;
  readonly memo: xdr.Memo;
}

/** The context in which a classic operation is applied. */
export interface OperationContext<T extends OperationType = OperationType> {
  /** The operation's own nested changes; discarded unless it and its transaction succeed. */
  readonly ltx: LedgerTxn;
  readonly body: OperationBodyOf<T>;
  /** The operation's source account, unmuxed. It exists, and its signatures were checked. */
  readonly source: xdr.PublicKey;
  /** The operation's source as written: with its multiplexing id, if it has one. */
  readonly muxedSource: xdr.MuxedAccount;
  readonly tx: TransactionFacts;
  /** Position in the transaction; claimable balance ids derive from it. */
  readonly index: number;
  readonly events: OperationEvents;
  /**
   * Keys that the network has frozen (CAP-77). Keys named in an operation are checked before it is applied; rules check only
   * keys that they find out themselves: offers that an exchange crosses, the asset of a claimable balance, the assets of a
   * pool.
   */
  readonly frozenKeys: FrozenKeys;
}

/**
 * The rules of one type of classic operation. Soroban operations are handled separately (`transaction/soroban`), because they
 * are metered and have a footprint.
 *
 * `checkValid` sees only the operation and the header, and returns the reason it can never apply (`undefined` if it can).
 * `apply` changes `ctx.ltx` and returns the result; if that is not a success, the engine drops the changes. Both can return any
 * `OperationResult`, including the outer codes (`opTooManySubentries`, …).
 */
export interface OperationRules<T extends OperationType = OperationType> {
  readonly type: T;
  threshold(body: OperationBodyOf<T>): ThresholdLevel;
  /**
   * Called before anything else; `false` results in `opNOT_SUPPORTED`. Rules without it are always
   * supported (stellar-core `isOpSupported`).
   */
  isSupported?(header: xdr.LedgerHeader): boolean;
  checkValid(
    body: OperationBodyOf<T>,
    source: xdr.PublicKey,
    header: xdr.LedgerHeader,
  ): xdr.OperationResult | undefined;
  apply(ctx: OperationContext<T>): xdr.OperationResult;
}

/** Whether an operation's result is a success. */
export function succeeded(result: xdr.OperationResult): boolean {
  if (result.type !== 'opInner') return false;
  const { tr } = result;
  const inner: { readonly type: string } = tr.value;
  return inner.type.endsWith('Success');
}

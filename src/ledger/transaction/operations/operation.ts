import type { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import type { LedgerTxn } from '../../state/index.ts';
import type { OperationEvents } from '../events/index.ts';

/** How much signing weight an operation asks of its source account. */
export type ThresholdLevel = 'low' | 'medium' | 'high';

/** The name of an operation's body, as the XDR union spells it: `payment`, `changeTrust`, … */
export type OperationType = xdr.OperationBody['type'];

/** The body of one type of operation. */
export type OperationBodyOf<T extends OperationType> = Extract<xdr.OperationBody, { type: T }>;

/** What an operation may know of the transaction that it is part of. */
export interface TransactionFacts {
  readonly networkId: Uint8Array;
  /** Source of the (inner) transaction, unmuxed. */
  readonly sourceAccount: xdr.PublicKey;
  readonly seqNum: bigint;
  readonly memo: xdr.Memo;
}

/** What a classic operation is given when it is applied. */
export interface OperationContext<T extends OperationType = OperationType> {
  /** The operation's own nested changes; discarded unless it and its transaction succeed. */
  readonly ltx: LedgerTxn;
  readonly body: OperationBodyOf<T>;
  /** The operation's source account, unmuxed. It exists and its signatures were checked. */
  readonly source: xdr.PublicKey;
  /** The operation's source as written: with its multiplexing id, if it has one. */
  readonly muxedSource: xdr.MuxedAccount;
  readonly tx: TransactionFacts;
  /** Position in the transaction: claimable balance ids are made from it. */
  readonly index: number;
  readonly events: OperationEvents;
  /**
   * Keys that the network has frozen (CAP-77). What an operation names is checked before it is
   * applied; rules ask only about keys that they find out themselves: offers that an exchange
   * crosses, the asset of a claimable balance, the assets of a pool.
   */
  readonly frozenKeys: FrozenKeys;
}

/**
 * The rules of one type of classic operation. Soroban operations have their own door
 * (`transaction/soroban`), because they are metered and carry their footprint.
 *
 * `checkValid` sees the operation and the header only and says why it can never apply
 * (`undefined`: nothing wrong). `apply` works on `ctx.ltx` and answers with the result; when it is
 * not a success the engine drops the changes. Both may answer with any `OperationResult`, the
 * outer codes (`opTooManySubentries`, …) included.
 */
export interface OperationRules<T extends OperationType = OperationType> {
  readonly type: T;
  threshold(body: OperationBodyOf<T>): ThresholdLevel;
  /**
   * Asked before anything else; `false` answers `opNOT_SUPPORTED`. Rules without it are always
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

/** True where an operation's result is its success. */
export function succeeded(result: xdr.OperationResult): boolean {
  if (result.type !== 'opInner') return false;
  const { tr } = result;
  const inner: { readonly type: string } = tr.value;
  return inner.type.endsWith('Success');
}

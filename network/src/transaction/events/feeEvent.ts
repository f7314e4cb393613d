import { xdr } from '@stellar/stellar-sdk';
import { accountAddress, amountValue, assetContractId, contractEvent } from './collectedEvents.ts';

const NATIVE = xdr.Asset.assetTypeNative();

/**
 * When a fee moved: `charged` before the first transaction of the ledger is applied, `refunded`
 * after the last one (CAP-67).
 */
export type FeeEventKind = 'charged' | 'refunded';

const STAGES: Record<FeeEventKind, xdr.TransactionEventStage> = {
  charged: xdr.TransactionEventStage.transactionEventStageBeforeAllTxs,
  refunded: xdr.TransactionEventStage.transactionEventStageAfterAllTxs,
};

const nativeContractIds = new WeakMap<Uint8Array, xdr.ContractId>();

/** Cached, because every transaction of a network needs it, some twice. */
function nativeContractId(networkId: Uint8Array): xdr.ContractId {
  let id = nativeContractIds.get(networkId);
  if (id === undefined) {
    id = assetContractId(networkId, NATIVE);
    nativeContractIds.set(networkId, id);
  }
  return id;
}

/**
 * The event of a fee charged or partly refunded, in stroops; a refund is written as a negative fee. No event if nothing moved
 * (stellar-core `TxEventManager`).
 */
export function feeEvent(
  networkId: Uint8Array,
  feeSource: xdr.PublicKey,
  kind: FeeEventKind,
  amount: bigint,
): xdr.TransactionEvent | undefined {
  if (amount === 0n) return undefined;
  return new xdr.TransactionEvent({
    stage: STAGES[kind],
    event: contractEvent(
      nativeContractId(networkId),
      [xdr.ScVal.scvSymbol('fee'), xdr.ScVal.scvAddress(accountAddress(feeSource))],
      amountValue(kind === 'charged' ? amount : -amount),
    ),
  });
}

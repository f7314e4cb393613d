export { describeSettlement } from './describeSettlement.ts';
export { readBalances } from './readBalances.ts';
export { readFacilitatorRecord } from './readFacilitatorRecord.ts';
export { readSettlements, type Settlement } from './readSettlements.ts';
export { readTrace } from './readTrace.ts';
export { readTransaction } from './readTransaction.ts';
export { SettlementHistory } from './settlementHistory.ts';
export {
  balanceLines,
  configuredState,
  type WalletState,
  walletFace,
  walletState,
} from './walletState.ts';

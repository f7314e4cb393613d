export { chargeFee } from './chargeFee.ts';
export { applyClassicOperations } from './classicOperations.ts';
export { prepareSorobanTransaction } from './prepareSoroban.ts';
export { prepareTransaction } from './prepareTransaction.ts';
export { refundFee } from './refundFee.ts';

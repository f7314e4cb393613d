/**
 * Code that every part of the product shares. This entry point depends on `zod/mini` only;
 * the messages with their schemas are in `./wire`, Stellar XDR is in `./stellar`.
 */
export * from '../../common/address.ts';
export * from '../../common/amount.ts';
export * from '../../common/jsonRpc.ts';
export * from '../../common/strKey.ts';
export * from '../../common/testnetAssets.ts';
export * from '../../common/visibleText.ts';
export * from './canonicalPath.ts';
export * from './canonicalPayTo.ts';
export * from './errors/errorRow.ts';
export * from './errors/errorTable.ts';
export * from './escapeControls.ts';
export * from './headers.ts';
export * from './lookAlike.ts';
export * from './network.ts';
export * from './networkReset.ts';
export * from './nodeWrites.ts';
export * from './payable.ts';
export * from './paymentProtocols.ts';
export * from './quoted.ts';
export * from './resourceKey.ts';
export * from './settlementHash.ts';

/**
 * Code that every part of the product shares. This entry point depends on `zod/mini` only;
 * the messages with their schemas are in `./wire`, Stellar XDR is in `./stellar`.
 */
export * from './address.ts';
export * from './amount.ts';
export * from './canonicalPath.ts';
export * from './canonicalPayTo.ts';
export * from './errors/errorRow.ts';
export * from './errors/errorTable.ts';
export * from './escapeControls.ts';
export * from './headers.ts';
export * from './jsonRpc.ts';
export * from './lookAlike.ts';
export * from './network.ts';
export * from './networkReset.ts';
export * from './payable.ts';
export * from './quoted.ts';
export * from './resourceKey.ts';
export * from './settlementHash.ts';
export * from './strKey.ts';
export * from './testnetAssets.ts';
export * from './visibleText.ts';

// Generated from contracts/wasm by `npm run bindings`; not edited by hand.

export * from '../../../common/moduleHashes.ts';
export * from './smartAccount.ts';
export * from './spendingLimit.ts';
export * from './verifiedOnly.ts';

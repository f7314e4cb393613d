/** Values of the smart account and its policies, which clients and the gateway write and read. Pure. */
export * from './accountSignature.ts';
export * from './explainRefusal.ts';
export * from './keyLimits.ts';
export * from './passkeyAssertion.ts';
export * from './signer.ts';
export * from './signerKey.ts';

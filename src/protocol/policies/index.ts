/** Messages between the policy gateway and its clients. */
export * from './constructorArguments.ts';
export * from './controlInvocation.ts';
export * from './definition.ts';
export * from './messages.ts';
export * from './passkeyMessages.ts';
export * from './policyOrigin.ts';
export * from './spendingLimitState.ts';

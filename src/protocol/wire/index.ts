/** The messages of x402 v2 and their schemas. Imports zod, so code that must stay small does not use this. */
export * from './discovery.ts';
export * from './extensionResponses.ts';
export * from './facilitatorRequest.ts';
export * from './facilitatorResponse.ts';
export * from './health.ts';
export * from './operatorStatus.ts';
export * from './paymentPayload.ts';
export * from './paymentRequired.ts';
export * from './paymentRequirements.ts';
export * from './readiness.ts';
export * from './settlementStatus.ts';

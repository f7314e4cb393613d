/** Messages between the policy gateway and its clients. */
export * from './definition.ts';
export * from './messages.ts';

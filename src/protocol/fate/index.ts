/** What is known about an authorization's money, and how it is read from a ledger. Pure: the ledger is a parameter. */
export { type Carried, carriedBy, isSameTransfer } from './carried.ts';
export * from './fate.ts';
export * from './movements.ts';
export * from './readFate.ts';

/** What is known of an authorization's money, from the journal and the ledger. Every answer about money comes from here. */
export { FateSource } from './fateSource.ts';
export { inTruth, learnFate, presentedIn, stillMade } from './inTruth.ts';
export { isUnderWay, knownFrom, knownInRecord, knownOfShort, triedIn } from './knownFate.ts';

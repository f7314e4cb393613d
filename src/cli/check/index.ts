/** Checks on the user's own app that a payment gate and the router agree. */
export { type Answer, ask } from './answer.ts';
export { type CheckInput, type CheckOptions, checkEndpoints } from './checkEndpoints.ts';
export { checkConfig, checkUrl } from './checkRunning.ts';
export { type Asked, judge, type Verdict } from './judge.ts';
export { concretePath, type Spelling, spellingsOf, unknownPaths } from './spellings.ts';
export { openTill, type Till } from './till.ts';

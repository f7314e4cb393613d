export { explainInstall } from './installFailure.ts';
export { npmIn } from './npmIn.ts';

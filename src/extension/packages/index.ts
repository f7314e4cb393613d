export { explainInstall } from './installFailure.ts';

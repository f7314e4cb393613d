export { checkSetup, describeSetup } from './checkSetup.ts';

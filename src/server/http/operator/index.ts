export { mountOperator } from './mountOperator.ts';

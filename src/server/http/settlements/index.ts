export { mountSettlements } from './mountSettlements.ts';

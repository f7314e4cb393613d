/** Background work: heartbeats, and settlements that were left unfinished. */
export { type Maintenance, maintainSettlements } from './maintainSettlements.ts';
export { reportGaps } from './reportGaps.ts';
export { resumeSettlements } from './resumeSettlements.ts';

export { CodeThread, CodeUnread, type WhyUnread } from './codeThread.ts';
export { findGateFiles } from './gateFiles.ts';
export {
  facilitatorsInCode,
  GATE_MARK,
  payToInCode,
  priceInCode,
} from './gateText.ts';
export { lensGroups } from './lensGroups.ts';
export { mayHoldRoutes, ROUTE_LANGUAGES } from './mayHoldRoutes.ts';
export { type NoteShown, notesInOrder, warningOf } from './notesShown.ts';

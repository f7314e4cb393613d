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
export { READ_HERE_UP_TO, RouteThread } from './routeThread.ts';

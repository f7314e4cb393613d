/** Payments in the code of route files: found, added and removed. Text and options in, edits out. */
export { addPayment } from './change/addPayment.ts';
export type { AddPaymentInput, Change, ChangeResult, Refused } from './change/change.ts';
export { DEFAULT_PRICE } from './change/paymentTerms.ts';
export { type RemovePaymentInput, removePayment } from './change/removePayment.ts';
export { findRoutes, routeAt, type SourceText } from './findRoutes.ts';
export { type InstallPlan, installPlan } from './packages/installPlan.ts';
export { withOverrides } from './packages/override.ts';
export {
  type ChosenSet,
  chooseSet,
  neededPackages,
  type PackageSet,
} from './packages/packageSets.ts';
export { findProject, type Project, type ProjectFiles, pathInProject } from './packages/project.ts';
export { packageSource, type RunNpm } from './packages/served.ts';
export type { Framework, Range, Refusal, RefusalCode, Route } from './routes/route.ts';
export { applyEdits, type Edit } from './source/edit.ts';
export { lineNumber, offsetOfLine } from './source/lines.ts';

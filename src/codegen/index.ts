/** Finds, adds and removes payments in the code of route files. Takes text and options, and returns edits. */
export { addPayment } from './change/addPayment.ts';
export type {
  AddPaymentInput,
  Change,
  ChangeResult,
  FrameworkVersions,
  Refused,
} from './change/change.ts';
export { versionRefusal } from './change/decision/versions.ts';
export { type Note, notesToAccept } from './change/note.ts';
export { DEFAULT_PRICE } from './change/paymentTerms.ts';
export {
  frameworkVersions,
  sourceInProject,
  type WritingFacts,
  writingFacts,
} from './change/projectFacts.ts';
export { type RemovePaymentInput, removePayment } from './change/removePayment.ts';
export { routeDescription } from './change/routeDescription.ts';
export { type SetPriceInput, setPrice } from './change/setPrice.ts';
export { clientsIn, findRoutes, type SourceText, soldByProxy, whyUnread } from './findRoutes.ts';
export { deadPayments } from './gate/deadPayments.ts';
export { type GateTerms, gateTerms } from './gate/gateTerms.ts';
export { isInPayment } from './gate/markers.ts';
export { type FormatterSettings, formatterSettings } from './packages/formatter.ts';
export { type InstallPlan, installPlan } from './packages/installPlan.ts';
export { withOverrides } from './packages/override.ts';
export {
  type ChosenSet,
  chooseSet,
  neededPackages,
  newestSet,
  OVERRIDES,
  PACKAGE_SETS,
  type PackageSet,
} from './packages/packageSets.ts';
export { findProject, type Project, type ProjectFiles } from './packages/project.ts';
export { packageSource, type RunNpm } from './packages/served.ts';
export { servedUnder } from './packages/servedUnder.ts';
export { resolutionProblem } from './packages/typescriptResolution.ts';
export type { Framework, Range, Refusal, RefusalCode, Route } from './routes/route.ts';
export { routeAt, routesAtLine, routesNamed } from './routes/selectRoute.ts';
export { applyEdits, type Edit } from './source/edit.ts';
export { columnNumber, lineNumber, offsetOfLine } from './source/lines.ts';
export { isTestFile } from './testFiles/index.ts';
export {
  findWellKnown,
  type ListedRoute,
  listResource,
  unlistResource,
  type WellKnown,
} from './wellKnown/wellKnown.ts';

/** A request to a paid endpoint and its outcome, as the panel shows them. Does not import the editor's API. */
export { type BuiltRequest, buildRequest } from './builtRequest.ts';
export { asCurl, asSdkCode } from './copyAs.ts';
export {
  begun,
  failed,
  NOTHING_YET,
  type OfferShown,
  type Outcome,
  type PanelState,
  restored,
  stepBegun,
  stepDone,
  withTerms,
} from './panelModel.ts';
export {
  type DeclaredInput,
  formFor,
  pathParameters,
  type RequestForm,
  withRemembered,
} from './requestForm.ts';
export { requestPage } from './requestPage.ts';
export { readTerms, type Terms } from './terms.ts';
export { isTestFailure, TEST_FAILURES, TestFailure, type TestOffer } from './testFailure.ts';
export type { TestResult, TestStep, TestStepName } from './testSteps.ts';

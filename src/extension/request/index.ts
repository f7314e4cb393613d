/** A request to a paid endpoint and its outcome, as the panel shows them. Does not import the editor's API. */
export {
  type AnswerShown,
  answerShown,
  sizeWords,
  timeWords,
  wholeText,
} from './answerShown.ts';
export { type BuiltRequest, buildRequest, USUAL_TIME_LIMIT } from './builtRequest.ts';
export { type CookieJar, createCookieJar } from './cookieJar.ts';
export { asCurl, asSdkCode } from './copyAs.ts';
export { type EndpointOptions, endpointTransport } from './endpointTransport.ts';
export { type HistoryEntry, withEntry, withoutSecrets } from './history.ts';
export {
  answered,
  begun,
  failed,
  NOTHING_YET,
  type OfferShown,
  type Outcome,
  type PanelState,
  restored,
  stepBegun,
  stepDone,
  withAnswer,
  withTerms,
} from './panelModel.ts';
export { redirectForm } from './redirectForm.ts';
export {
  readEnvironments,
  readRequests,
  type SavedRequest,
  writeRequest,
} from './requestFile.ts';
export {
  type DeclaredInput,
  formFor,
  pathParameters,
  type RequestForm,
  withRemembered,
} from './requestForm.ts';
export { requestPage } from './requestPage.ts';
export { protocolName, readTerms, type Terms } from './terms.ts';
export { isTestFailure, TEST_FAILURES, TestFailure, type TestOffer } from './testFailure.ts';
export type { TestResult, TestStep, TestStepName } from './testSteps.ts';

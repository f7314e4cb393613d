export { isTestFailure, TEST_FAILURES, TestFailure, type TestOffer } from './testFailure.ts';
export { describeFailure, describeResult } from './testReport.ts';
export { TEST_STEPS, type TestResult, type TestStep, type TestStepName } from './testSteps.ts';

export { mountPolicies } from './mountPolicies.ts';
export { policyPaths } from './openApi.ts';

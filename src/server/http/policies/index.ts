export { mountPolicies } from './mountPolicies.ts';

export { createEarningsView } from './earningsView.ts';
export { createEndpointsView } from './endpointsView.ts';
export { createPoliciesView } from './policiesView.ts';
export type { Row } from './rows.ts';
export { createSettlementsView } from './settlementsView.ts';
export { createWalletView } from './walletView.ts';

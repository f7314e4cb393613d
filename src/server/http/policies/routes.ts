/** The routes of the policy gateway, in the specification's order; the last is an addition. */
export const POLICY_ROUTES = [
  { method: 'GET', path: '/policies/templates', name: 'templates' },
  { method: 'POST', path: '/policies/validate', name: 'validate' },
  { method: 'POST', path: '/policies/generate', name: 'generate' },
  { method: 'POST', path: '/policies/:id/simulate', name: 'simulate' },
  { method: 'POST', path: '/policies/:id/deploy-instance', name: 'deployInstance' },
  { method: 'POST', path: '/policies/deploy', name: 'record' },
  { method: 'GET', path: '/policies/wallets/:id', name: 'ofWallet' },
] as const;

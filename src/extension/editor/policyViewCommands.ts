import type { App } from './app.ts';
import type { Row } from './views/index.ts';

/**
 * Commands of the view "Spending Policies". Each loads its code when first run, and starts what it needs or reports what is
 * missing.
 * @param refresh reads the view again
 */
export function createPolicyCommands(app: App, refresh: () => void) {
  const desk = { app, refresh };
  const load = () => import('./policyCommands/index.ts');
  return {
    setSmartAccount: async () => (await load()).setSmartAccount(app),
    createSmartAccount: async () => (await load()).createSmartAccount(app),
    createPolicy: async () => (await load()).createPolicy(desk),
    attachPolicy: async (row?: Row) => (await load()).attachPolicy(desk, row),
    revokePolicy: async (row?: Row) => (await load()).revokePolicy(desk, row),
    addAgentKey: async (row?: Row) => (await load()).addAgentKey(desk, row),
  };
}

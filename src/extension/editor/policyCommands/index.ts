import type { App } from '../app.ts';
import type { Row } from '../views/index.ts';
import { addAgentKey } from './addAgentKey.ts';
import { attachPolicy } from './attachPolicy.ts';
import { createPolicy } from './createPolicy.ts';
import { revokePolicy } from './revokePolicy.ts';
import { createSmartAccount, setSmartAccount } from './smartAccount.ts';

/**
 * Commands of the view "Spending Policies". Each starts what it needs, or reports what is missing.
 * @param refresh reads the view again
 */
export function createPolicyCommands(app: App, refresh: () => void) {
  const desk = { app, refresh };
  return {
    setSmartAccount: () => setSmartAccount(app),
    createSmartAccount: () => createSmartAccount(app),
    createPolicy: () => createPolicy(desk),
    attachPolicy: (row?: Row) => attachPolicy(desk, row),
    revokePolicy: (row?: Row) => revokePolicy(desk, row),
    addAgentKey: (row?: Row) => addAgentKey(desk, row),
  };
}

import type { App } from './app.ts';
import { allowKeyFile } from './mcpCommands.ts';

/** Commands for agent budgets. Each loads its code when first run. */
export function createAgentBudgetCommands(app: App) {
  const load = () => import('./agentBudgets/index.ts');
  return {
    giveAgentBudget: async () => (await load()).giveBudget(app, allowKeyFile),
    showAgentBudgets: async () => (await load()).showBudgets(app, allowKeyFile),
    revokeAgentBudget: async () => (await load()).revokeBudget(app),
  };
}

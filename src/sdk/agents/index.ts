/** A wallet's agents and their budgets. */
export { type AgentBudget, readBalance, readBudget } from './agentBudget.ts';
export { type LimitedKey, readLimitedKey } from './limitedKey.ts';
export {
  type AgentGrant,
  type AgentLimits,
  type AgentPlan,
  type AgentState,
  type AgentWindow,
  createWalletAgents,
  type GrantedAgent,
  type WalletAgents,
  type WalletAgentsOptions,
} from './walletAgents.ts';

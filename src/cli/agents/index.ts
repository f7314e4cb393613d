/** Agents with a budget on the embedded network. */
export { grantAgent, listAgents, revokeAgent, rotateAgent, topUpAgent } from './agentBudgets.ts';
export { type AgentKey, readAgentKey } from './keyFile.ts';

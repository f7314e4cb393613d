/** Budgets of agents, without the editor: the form, the command line's arguments, and what it printed. */

export { type AgentOnLedger, agentWords, budgetOf, lastLine, readAgents } from './agentReport.ts';
export {
  askBudget,
  type BudgetAnswer,
  type BudgetAnswers,
  type BudgetStep,
  EXPIRES,
  grantArguments,
  WINDOWS,
  whatIsWrongWithBudget,
} from './budgetForm.ts';

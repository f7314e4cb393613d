/** Agent budgets, without the editor: the form, the command's arguments, and the parsing of its output. */

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

/** Budgets of agents on the embedded network. A bundle of its own, loaded when it is needed. */
export { giveBudget } from './giveBudget.ts';
export { revokeBudget, showBudgets } from './showBudgets.ts';

/** Agent budgets on the embedded network. A separate bundle, loaded on demand. */
export { giveBudget } from './giveBudget.ts';
export { revokeBudget, showBudgets } from './showBudgets.ts';

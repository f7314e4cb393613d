/** What the operator of a service may do with its catalog. */
export {
  type JournalEntry,
  OPERATOR_ACTIONS,
  type OperatorAction,
  readJournal,
} from './journal.ts';
export { type Operated, type Operation, operate } from './operate.ts';
export { type CatalogRule, readRules } from './rules.ts';
export { readTarget, type Target } from './target.ts';

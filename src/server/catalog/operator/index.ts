/** Actions of a service's operator on its catalog. */
export {
  type JournalEntry,
  OPERATOR_ACTIONS,
  type OperatorAction,
  readJournal,
} from './journal.ts';
export { type Operated, type Operation, operate } from './operate.ts';
export { type CatalogRule, readRules } from './rules.ts';
export { readTarget, type Target } from './target.ts';

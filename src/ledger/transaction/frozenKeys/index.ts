export { type FrozenKeys, frozenKeysOf, noFrozenKeys } from './frozenKeys.ts';

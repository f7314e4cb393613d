import { visibleText } from '../../../common/visibleText.ts';
import type { KnownContract } from './contractBook.ts';

/** Maximum number of characters shown of a function's name. */
const MOST_NAME = 64;

/** The name of a call in a sentence: `USDC.transfer`, `spending limit CDCZ….policy__`. */
export function callName(contract: Pick<KnownContract, 'id' | 'name'>, name: string): string {
  return `${contract.name === null ? contract.id : `${contract.name} ${contract.id}`}.${functionName(name)}`;
}

/** Returns the visible text of a name. Contract authors can name functions, types and inputs as they like. */
export function functionName(name: string): string {
  return visibleText(name.slice(0, MOST_NAME));
}

import { visibleText } from '../../protocol/index.ts';
import type { KnownContract } from './contractBook.ts';

/** Characters of a function's name that are shown. */
const MOST_NAME = 64;

/** A call as a sentence names it: `USDC.transfer`, `spending limit CDCZ….policy__`. */
export function callName(contract: Pick<KnownContract, 'id' | 'name'>, name: string): string {
  return `${contract.name === null ? contract.id : `${contract.name} ${contract.id}`}.${functionName(name)}`;
}

/** Returns the visible text of a name: strangers choose those of their functions, types and inputs. */
export function functionName(name: string): string {
  return visibleText(name.slice(0, MOST_NAME));
}

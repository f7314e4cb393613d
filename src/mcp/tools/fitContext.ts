import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CatalogEntry } from '../catalogEntry.ts';

/** Maximum characters of a result whose size the caller did not choose: about 2,000 tokens. */
const MAX_RESULT = 8_000;
/** Characters of a description in a short entry. */
const MAX_DESCRIPTION = 120;

/**
 * Returns the result with as many entries as fit a model's context: all of them, else all without their inputs and outputs, else
 * the first ones.
 * @param write writes the result for these entries; `short` if inputs and outputs were left out
 */
export function fitContext<T extends CatalogEntry>(
  entries: readonly T[],
  write: (entries: readonly T[], short: boolean) => CallToolResult,
): CallToolResult {
  const whole = write(entries, false);
  if (sizeOf(whole) <= MAX_RESULT) return whole;
  const short = entries.map(shortened);
  for (let count = short.length; count > 1; count--) {
    const result = write(short.slice(0, count), true);
    if (sizeOf(result) <= MAX_RESULT) return result;
  }
  return write(short.slice(0, 1), true);
}

function sizeOf(result: CallToolResult): number {
  return JSON.stringify(result).length;
}

/** An entry without the schemas and examples, which are most of it. */
function shortened<T extends CatalogEntry>(entry: T): T {
  const { extensions: _, description, accepts, ...rest } = entry;
  return {
    ...rest,
    accepts: accepts.slice(0, 2).map(({ scheme, network, asset, amount, payTo }) => ({
      ...{ scheme, network, asset, amount, payTo },
    })),
    ...(description === undefined
      ? {}
      : { description: [...description].slice(0, MAX_DESCRIPTION).join('') }),
  } as unknown as T;
}
